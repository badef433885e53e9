#!/bin/sh
# A player in plain shell, for `ttr watch "exec:sh training/examples/programs/last_move.sh" random`: it takes the last
# legal action, which is mostly a claim. It reads the JSON with nothing but patterns, as its fields keep their order.
while IFS= read -r line; do
    case $line in
        '{"type":"hello"'*)
            echo '{"protocol": 1}'
            ;;
        '{"type":"act"'*)
            id=${line#*'"id":'}
            action=${line##*'{"action":'}
            echo "{\"id\": ${id%%,*}, \"action\": ${action%%,*}}"
            ;;
    esac
done
