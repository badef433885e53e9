"""What a server says to everything that can be wrong: forms, records, messages, and agents."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.helpers.visitor import HERE, PERSON, agent, deal, offered, parts, play_to_the_end, refusal, visiting
from ttr_env import Game
from ttr_env.web import links
from ttr_env.web.app import Server
from ttr_env.web.hall import Hall
from ttr_env.web.limits import Limits

STRANGE = "tests.helpers.strange:"
ASK_NOBODY = '{"ask":[["planner"]],"decision":0}'


def test_unknown_agents_and_maps(client: TestClient) -> None:
    form = {"map": "nederland", "options": {}, "seed": None, "seats": [PERSON, agent("planer")]}
    assert refusal(client, "/api/tables", form) == "There is no agent 'planer' here (did you mean 'planner'?)."
    for spec in ("os:system", "policy:/etc/passwd", "exec:sh"):
        assert "There is no agent" in refusal(client, "/api/tables", {**form, "seats": [PERSON, agent(spec)]})
    assert "There is no map '/tmp'" in refusal(client, "/api/tables", {**form, "map": "/tmp"})
    assert "2 to 5 players" in refusal(client, "/api/tables", {**form, "seats": [PERSON]})
    assert "seed" in refusal(client, "/api/tables", {**form, "seats": [PERSON, PERSON], "seed": -1})


def test_broken_records(client: TestClient, tmp_path: Path) -> None:
    record: dict[str, Any] = {**Game(seed=7).record()}
    for damage, told in [
        ({"actions": [0]}, "step 0"),
        ({"format": 99}, "format 99"),
        ({"map_digest": "0"}, "another version of Nederland"),
        ({"map": str(tmp_path), "map_digest": "0"}, "is not one of those here"),
        ({"start": {**Game(seed=7).snapshot(), "map": str(tmp_path)}}, "but the record's is 'nederland'"),
        ({"map": {"": 0}}, "is not one of those here"),
        ({"actions": [0] * 5000}, "at most 4000"),
        ({"seed": None}, "a seed or a start"),
    ]:
        sentence = refusal(client, "/api/open", {"record": {**record, **damage}})
        assert sentence.startswith("This is damaged or no game: ") and told in sentence
    assert "record" in refusal(client, "/api/open", {"record": 7})
    assert "copy the whole" in refusal(client, "/api/open", {"code": "nonsense"})
    other = {**record, "map_digest": "0"}
    assert "another version of Nederland" in refusal(client, "/api/open", {"code": links.pack(other)})


@pytest.mark.parametrize("name", ["\ud800", "A\0\x1bnna", "<b>" * 40])
def test_names_that_cannot_be_shown(client: TestClient, name: str) -> None:
    form = {"map": "nederland", "options": {}, "seed": 7, "seats": [{"agent": None, "name": name}, agent("planner")]}
    found = client.post("/api/tables", content=json.dumps(form).encode()).json()
    with visiting(client, found["seats"][0]["link"]) as visitor:
        told = visitor.introduction["seats"][0]["name"]
        assert told.isprintable() and len(told) <= 24
    record = {**Game(seed=7).record(), "agents": [name, "planner"]}
    shown = client.post("/api/open", content=json.dumps({"record": record}).encode()).json()
    with visiting(client, shown["watch"]) as visitor:
        assert visitor.introduction["seats"][0]["name"] == told
    ElementTree.fromstring(client.post("/api/picture", json={**parts(shown["watch"]), "kind": "svg"}).text)


def test_a_record_that_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "full").touch()  # no folder can be there
    hall = Hall(save=tmp_path / "full" / "records", limits=Limits(grace=0.01))
    with TestClient(Server(hall).app, base_url=HERE) as client:
        link = deal(client, PERSON, agent("planner"))["seats"][0]["link"]
        with visiting(client, link) as visitor:
            play_to_the_end(visitor)
            assert "could not keep the record" in visitor.hear_of("error")["text"]
        assert client.post("/api/record", json=parts(link)).status_code == 200  # so it can be saved by hand


def test_a_stale_a_repeated_and_an_illegal_click(client: TestClient) -> None:
    with visiting(client, deal(client, PERSON, PERSON)["seats"][0]["link"]) as visitor:
        action = offered(visitor.position["offer"])[0]
        visitor.say(act=615, stamp=0)
        assert "illegal" in visitor.hear_of("error")["text"]
        visitor.act(action)
        visitor.say(act=action, stamp=0)
        assert "moved on" in visitor.hear_of("error")["text"]
        visitor.say(act=action, stamp=1)
        assert "not your turn" in visitor.hear_of("error")["text"]
        assert visitor.position["decisions"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        "[" * 1500,
        "7",
        "{}",
        '{"act":"x","stamp":0}',
        '{"eyes":"me"}',
        '{"act":true,"stamp":0}',
        '{"look":false}',
        '{"pace":NaN,"paused":false}',
        ASK_NOBODY,
    ],
)
def test_messages_that_make_no_sense(client: TestClient, text: str) -> None:
    with visiting(client, deal(client, PERSON, PERSON)["seats"][0]["link"]) as visitor:
        visitor.socket.send_text(text)
        assert "nothing was done" in visitor.hear_of("error")["text"]
        visitor.act(offered(visitor.position["offer"])[0])  # and the game goes on


def test_true_and_false_are_no_numbers(client: TestClient) -> None:
    shown = client.post("/api/open", json={"record": Game(seed=7).record()}).json()["watch"]
    whole = client.post("/api/picture", json={**parts(shown), "kind": "svg"})
    asked = client.post("/api/picture", json={**parts(shown), "kind": "svg", "eyes": True, "decision": False})
    assert whole.status_code == asked.status_code == 200 and asked.text == whole.text


def test_bytes_are_no_message(client: TestClient) -> None:
    with visiting(client, deal(client, PERSON, PERSON)["seats"][0]["link"]) as visitor:
        visitor.socket.send_bytes(b"\xff\xfe")
        assert "nothing was done" in visitor.hear_of("error")["text"]
        visitor.act(offered(visitor.position["offer"])[0])


def test_a_message_that_is_too_long_ends_the_line(client: TestClient) -> None:
    link = deal(client, PERSON, PERSON)["seats"][0]["link"]
    with visiting(client, link) as visitor, pytest.raises(WebSocketDisconnect) as closed:
        visitor.socket.send_text(" " * 3000)
        visitor.hear_of("nothing")
    assert closed.value.code == 1009 and "too long" in closed.value.reason
    with visiting(client, link) as visitor:
        assert visitor.position["offer"] is not None  # nothing was lost


def test_too_many_messages_end_the_line() -> None:
    """So few are borne that they are too many however slowly they are read."""
    with TestClient(Server(Hall(limits=Limits(messages=5))).app, base_url=HERE) as client:
        link = deal(client, PERSON, PERSON)["seats"][0]["link"]
        with visiting(client, link) as visitor, pytest.raises(WebSocketDisconnect) as closed:
            for _ in range(100):
                visitor.say(look=None)
            visitor.hear_of("nothing")
    assert closed.value.code == 1008 and "too many" in closed.value.reason


def test_a_request_that_is_too_large_or_no_json(client: TestClient) -> None:
    assert (
        client.post("/api/open", content=b"x" * 30_000).json()["error"] == "That is too much: at most 19 kB are taken."
    )
    assert client.post("/api/tables", content=b"x").json()["error"] == "That is no JSON."
    assert client.post("/api/tables", content=b"[]").status_code == 400


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_numbers_that_are_none(client: TestClient, number: str) -> None:
    shown = parts(client.post("/api/open", json={"record": Game(seed=7).record()}).json()["watch"])
    body = f'{json.dumps(shown)[:-1]}, "decision": {number}}}'
    assert client.post("/api/record", content=body).json()["error"] == "That is no JSON."
    assert client.post("/api/record", json={**shown, "decision": 0}).status_code == 200


def test_a_second_tab_takes_the_seat_over(client: TestClient) -> None:
    link = deal(client, PERSON, agent("planner"))["seats"][0]["link"]
    with visiting(client, link) as first, visiting(client, link) as second:
        with pytest.raises(WebSocketDisconnect) as closed:
            first.hear_of("nothing")
        assert closed.value.code == 4001 and "another tab" in closed.value.reason
        second.act(offered(second.position["offer"])[0])


def test_a_table_that_is_not_there_and_a_secret_that_is_none(client: TestClient) -> None:
    link = deal(client, PERSON, agent("planner"))["seats"][0]["link"]
    for broken, told in [("/table/none#x", "not here any more"), (link.partition("#")[0] + "#x", "does not open")]:
        with pytest.raises(WebSocketDisconnect) as closed, visiting(client, broken):
            pass
        assert closed.value.code == 4004 and told in closed.value.reason
    with pytest.raises(WebSocketDisconnect) as closed, client.websocket_connect("ws://127.0.0.1:8470/socket") as socket:
        socket.send_text("nonsense")
        socket.receive_text()
    assert closed.value.code == 1008


@pytest.mark.parametrize("secret", ["é", "\ud800"])
def test_a_secret_in_letters_that_none_has(client: TestClient, secret: str) -> None:
    form = {**parts(deal(client, PERSON, PERSON)["seats"][0]["link"]), "secret": secret}
    answer = client.post("/api/record", content=json.dumps(form).encode())
    assert answer.status_code == 400 and "does not open the table" in answer.json()["error"]


def test_too_many_tables(client: TestClient, server: Server) -> None:
    form = {"map": "nederland", "options": {}, "seed": 1, "seats": [PERSON, PERSON]}
    for _ in range(server.hall.limits.tables):
        assert client.post("/api/tables", json=form).status_code == 200
    assert refusal(client, "/api/tables", form).startswith("There are 24 tables already")
    next(iter(server.hall.rooms.values())).table.replayed = True  # and nobody looks at it: it makes room
    assert client.post("/api/tables", json=form).status_code == 200


def test_too_many_pages() -> None:
    with TestClient(Server(Hall(limits=Limits(pages=1))).app, base_url=HERE) as client:
        link = deal(client, PERSON, PERSON)["seats"][0]["link"]
        with visiting(client, link) as first:
            with pytest.raises(WebSocketDisconnect) as closed, visiting(client, link):
                pass
            assert closed.value.code == 4003 and "1 pages are open already" in closed.value.reason
            first.act(offered(first.position["offer"])[0])


def test_a_page_that_says_nothing_makes_room_for_others() -> None:
    with TestClient(Server(Hall(limits=Limits(pages=1, greeting=0.2))).app, base_url=HERE) as client:
        link = deal(client, PERSON, PERSON)["seats"][0]["link"]

        def is_let_in() -> bool:
            try:
                with visiting(client, link):
                    return True
            except WebSocketDisconnect:
                return False

        with client.websocket_connect("ws://127.0.0.1:8470/socket") as silent:
            patience = time.monotonic() + 20
            while not is_let_in():
                assert time.monotonic() < patience
            with pytest.raises(WebSocketDisconnect) as closed:
                silent.receive_text()
            assert closed.value.code == 1008 and "within 0.2 seconds" in closed.value.reason


def test_the_record_of_a_game_between_people_is_theirs_when_it_is_over(client: TestClient) -> None:
    link = deal(client, PERSON, PERSON)["seats"][0]["link"]
    for address in ("/api/record", "/api/film", "/api/play-on"):
        form = {**parts(link), "decision": 0, "seats": [PERSON, PERSON]}
        assert "when the game is over" in refusal(client, address, form)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "why"),
    [("Raiser", "no idea"), ("Sleeper", "3 seconds"), ("Quitter", "ended by itself"), ("Cheater", "out of range")],
)
def test_an_agent_that_goes_wrong_ends_its_own_game_alone(client: TestClient, name: str, why: str) -> None:
    broken = deal(client, agent(STRANGE + name), agent("planner"))["watch"]
    healthy = deal(client, agent("random"), agent("planner"))["watch"]
    with visiting(client, broken) as visitor, visiting(client, healthy) as other:
        visitor.say(pace=0, paused=False)
        while not visitor.position["trouble"]:
            visitor.hear()
        assert STRANGE + name in visitor.position["trouble"] and why in visitor.position["trouble"]
        other.say(pace=0, paused=False)
        while other.position["decisions"] < 8:
            other.hear()
    assert client.post("/api/record", json=parts(broken)).status_code == 200  # what was played stays


def test_people_whose_agent_goes_wrong_play_on_without_it(client: TestClient) -> None:
    dealt = deal(client, PERSON, PERSON, agent(STRANGE + "Raiser"))
    first, second = (seat["link"] for seat in dealt["seats"])
    with visiting(client, first) as anna, visiting(client, second) as ben:
        anna.say(pace=0, paused=False)
        for visitor in (anna, ben):
            visitor.await_turn()
            visitor.act(offered(visitor.position["offer"])[0])
        while not ben.position["trouble"]:
            ben.hear()
        assert ben.position["open"] and ben.position["offer"] is None
    form = {**parts(second), "decision": 2, "seats": [PERSON, PERSON, agent("planner")]}
    again = client.post("/api/play-on", json=form).json()["seats"]
    with visiting(client, again[0]["link"]) as anna:
        anna.say(pace=0, paused=False)
        assert anna.await_turn() is not None and anna.position["decisions"] == 3
