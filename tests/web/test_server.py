"""The server as pages meet it: tables, seats, records, and everything that can be wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.helpers.visitor import PERSON, Visitor, agent, deal, offered, parts, visiting
from ttr_env import Game, MapError, agents, maps, render
from ttr_env.maps import Map
from ttr_env.web import links
from ttr_env.web.app import Server
from ttr_env.web.hall import Hall
from ttr_env.web.limits import Limits

HERE = "http://127.0.0.1:8470"
LAKES = Path(__file__).parents[2] / "docs" / "lakes"
STRANGE = "tests.helpers.strange:"
ASK_NOBODY = '{"ask":[["planner"]],"decision":0}'


def refusal(client: TestClient, address: str, form: Any) -> str:
    """The sentence with which something is refused."""
    answer = client.post(address, json=form)
    assert answer.status_code == 400
    sentence: str = answer.json()["error"]
    assert sentence.endswith(".") and "\n" not in sentence
    return sentence


def play_to_the_end(visitor: Visitor) -> None:
    visitor.say(pace=0, paused=False)
    while visitor.await_turn() is not None:
        visitor.act(offered(visitor.position["offer"])[0])


# Playing ----------------------------------------------------------------------------------------


def test_a_person_plays_against_an_agent_to_the_end(client: TestClient, records: Path) -> None:
    link = deal(client, PERSON, agent("planner"))["seats"][0]["link"]
    with visiting(client, link) as visitor:
        assert visitor.introduction["seat"] == 0
        play_to_the_end(visitor)
        told = visitor.position
    assert told["open"] and told["state"]["result"]["rows"][0]["won"]
    [file] = records.glob("*.json")
    record = json.loads(file.read_text())
    assert record["agents"] == ["Anna", "planner"] and Game.replay(record).over
    assert len(record["actions"]) == told["decisions"]
    file.unlink()


def test_the_same_seed_and_agents_play_the_game_that_they_play_elsewhere(client: TestClient) -> None:
    link = deal(client, agent("planner"), agent("random"))["watch"]
    with visiting(client, link) as visitor:
        visitor.say(pace=0, paused=False)
        while visitor.position["state"]["result"] is None:
            assert not visitor.hear_of("position")["trouble"]
        record = client.post("/api/record", json=parts(link)).json()["record"]
    assert record["actions"] == agents.play(Game(seed=7), ["planner", "random"]).actions


def test_agents_wait_while_the_game_is_paused(client: TestClient) -> None:
    with visiting(client, deal(client, agent("planner"), agent("planner"))["watch"]) as visitor:
        visitor.say(pace=0, paused=True)
        while not visitor.position["paused"]:
            visitor.hear()
        before = visitor.position["decisions"]
        visitor.say(step=True)
        while visitor.position["decisions"] == before:
            visitor.hear()
        assert visitor.position["decisions"] == before + 1 and visitor.position["paused"]


def test_two_people_each_see_their_own_hand_and_each_other_s_moves(client: TestClient) -> None:
    first, second = (seat["link"] for seat in deal(client, PERSON, PERSON)["seats"])
    with visiting(client, first) as anna, visiting(client, second) as ben:
        assert anna.position["offer"] is not None and ben.position["offer"] is None
        assert anna.position["state"]["hand"] != ben.position["state"]["hand"]
        assert len(anna.introduction["links"]["seats"]) == 2 and ben.introduction["links"] is None
        anna.act(offered(anna.position["offer"])[0])
        assert ben.await_turn() is not None
        told = ben.position["lines"]["told"][-1]
        assert told["who"] == "Anna" and told["did"].startswith("kept")


def test_the_picture_is_the_renderer_s(client: TestClient, server: Server) -> None:
    link = deal(client, PERSON, agent("planner"))["seats"][0]["link"]
    game = server.hall.rooms[parts(link)["table"]].table.game
    with visiting(client, link) as visitor:
        pieces = [markup for _, markup in visitor.position["pieces"]]
    whole = render.to_svg(game, 0)
    assert len(pieces) > 100 and all(piece in whole for piece in pieces[1:])
    assert client.post("/api/picture", json={**parts(link), "kind": "svg"}).text == whole
    assert client.post("/api/picture", json={**parts(link), "kind": "png"}).content.startswith(b"\x89PNG")


def test_earlier_positions_are_shown_from_the_seat(client: TestClient) -> None:
    with visiting(client, deal(client, PERSON, agent("planner"))["seats"][0]["link"]) as visitor:
        start = visitor.position
        visitor.act(offered(start["offer"])[0])
        visitor.say(look=0)
        while visitor.position["live"]:
            visitor.hear()
        assert visitor.position["state"]["tickets"] == start["state"]["tickets"]
        assert visitor.position["offer"] is None and visitor.position["eyes"] == 0
        visitor.say(eyes=1)
        assert "over" in visitor.hear_of("error")["text"]


def test_a_hint_and_no_hints_about_others(client: TestClient) -> None:
    with visiting(client, deal(client, PERSON, PERSON)["seats"][0]["link"]) as visitor:
        visitor.say(ask=["champion", "planner"], decision=0)
        opinion = visitor.hear_of("opinion")
        assert opinion["agent"] == "champion" and opinion["choice"]["words"].startswith("Keep")
        assert opinion["options"][0]["probability"] > 0 and opinion["played"] is None
        assert visitor.hear_of("opinion")["agent"] == "planner"
        visitor.act(offered(visitor.position["offer"])[0])
        visitor.say(ask=["champion"], decision=1)
        assert "yours" in visitor.hear_of("error")["text"]


def test_a_game_goes_on_from_any_position_with_other_seats(client: TestClient) -> None:
    record = agents.play(Game(seed=7), ["planner", "planner"]).record()
    shown = client.post("/api/open", json={"record": record}).json()
    assert shown["seats"] == []
    form = {**parts(shown["watch"]), "decision": 30, "seats": [agent("random"), PERSON]}
    [seat] = client.post("/api/play-on", json=form).json()["seats"]
    with visiting(client, seat["link"]) as visitor:
        assert visitor.introduction["seat"] == 1 and visitor.position["decisions"] >= 30
        again = client.post("/api/record", json=parts(seat["link"])).json()["record"]
    assert again["actions"][:30] == record["actions"][:30] and again["seed"] == 7


def test_a_link_opens_the_game_that_it_holds(client: TestClient) -> None:
    record = agents.play(Game("nordic", seed=7), ["planner", "planner"]).record()
    shown = client.post("/api/open", json={"code": links.pack(record)}).json()
    with visiting(client, shown["watch"]) as visitor:
        assert visitor.position["state"]["result"] is not None and visitor.position["open"]
        visitor.say(look=20)
        while visitor.position["decision"] != 20:
            visitor.hear()
        assert visitor.position["state"]["result"] is None
        visitor.say(eyes=1)
        while visitor.position["eyes"] != 1:
            visitor.hear()
    answer = client.post("/api/record", json=parts(shown["watch"])).json()
    assert links.unpack(answer["code"])["actions"] == record["actions"]


@pytest.mark.slow
def test_a_film_of_a_game(client: TestClient) -> None:
    game = Game(seed=7)
    for _ in range(3):
        game.step(int(game.legal_actions()[0]))
    shown = client.post("/api/open", json={"record": game.record()}).json()
    film = client.post("/api/film", json=parts(shown["watch"]))
    assert film.content.startswith(b"GIF89a")


# Looking on -------------------------------------------------------------------------------------


def test_who_looks_on_sees_what_everybody_sees(client: TestClient, server: Server) -> None:
    links = deal(client, PERSON, PERSON)
    secrets = [seat.secret for seat in server.hall.rooms[parts(links["look_on"])["table"]].table.seats]
    with visiting(client, links["seats"][0]["link"]) as anna, visiting(client, links["look_on"]) as onlooker:
        first = onlooker.position
        assert onlooker.introduction["seat"] is None and onlooker.introduction["links"] is None
        assert not any(str(secret) in json.dumps([onlooker.introduction, first]) for secret in secrets)
        assert first["state"]["hand"] == {} and first["state"]["tickets"] == [] and first["state"]["shown"] is None
        assert [player["which"] for player in first["state"]["players"]] == ["known", "known"]
        assert first["offer"] is None and not first["open"]
        anna.act(offered(anna.position["offer"])[0])
        assert onlooker.hear_of("position")["lines"]["told"][-1]["did"].startswith("kept")


def test_who_looks_on_changes_nothing(client: TestClient) -> None:
    links = deal(client, PERSON, agent("planner"))
    with visiting(client, links["seats"][0]["link"]) as anna, visiting(client, links["look_on"]) as onlooker:
        for wish in ({"pace": 0, "paused": True}, {"step": True}, {"act": 0, "stamp": 0}, {"undo": 0}, {"eyes": 0}):
            onlooker.say(**wish)
            assert onlooker.hear_of("error")["text"].endswith(".")
        onlooker.say(ask=["planner"], decision=0)
        assert "once the game is over" in onlooker.hear_of("error")["text"]
        assert not anna.position["paused"] and anna.position["decisions"] == 0
    for address in ("/api/record", "/api/picture", "/api/film"):
        assert "when the game is over" in refusal(client, address, parts(links["look_on"]))


def test_who_looks_on_sees_everything_once_the_game_is_over(client: TestClient) -> None:
    links = deal(client, PERSON, agent("planner"))
    with visiting(client, links["seats"][0]["link"]) as anna:
        play_to_the_end(anna)
    with visiting(client, links["look_on"]) as onlooker:
        assert onlooker.position["open"] and onlooker.position["state"]["hand"]
        onlooker.say(look=20)
        while onlooker.position["decision"] != 20:
            onlooker.hear()
        assert [player["which"] for player in onlooker.position["state"]["players"]] == ["hand", "hand"]
    assert client.post("/api/record", json=parts(links["look_on"])).status_code == 200


# Maps of one's own ------------------------------------------------------------------------------


@pytest.fixture
def lakes(tmp_path: Path) -> Map:
    return maps.load(Path(shutil.copytree(LAKES, tmp_path / "lakes")))


@pytest.fixture
def own_maps(lakes: Map, tmp_path: Path) -> Iterator[TestClient]:
    """A server with a map of its own."""
    with TestClient(Server(Hall(boards=[lakes], save=tmp_path / "kept")).app, base_url=HERE) as client:
        yield client


def test_a_map_of_one_s_own_is_played_like_any_other(own_maps: TestClient, lakes: Map, tmp_path: Path) -> None:
    offered_maps = own_maps.get("/api/lobby").json()["maps"]
    assert [each["title"] for each in offered_maps] == ["Nederland", "Mini", "Nordic Countries", "USA", "Lakes"]
    assert str(tmp_path) not in json.dumps(offered_maps)  # where it lies is nobody's business
    assert "<svg" in own_maps.get("/maps/lakes.svg").text
    link = deal(own_maps, agent("planner"), agent("random"), map="lakes")["watch"]
    shutil.rmtree(lakes.name)  # nothing is read any more
    with visiting(own_maps, link) as visitor:
        visitor.say(pace=0, paused=False)
        while visitor.position["state"]["result"] is None:
            assert not visitor.hear_of("position")["trouble"]
        visitor.say(look=3)
        while visitor.position["decision"] != 3:
            visitor.hear()
    record = own_maps.post("/api/record", json=parts(link)).json()["record"]
    elsewhere = {**record, "map": "/somebody/else/lakes"}  # a map is known by what is in it
    for each in (record, elsewhere):
        assert own_maps.post("/api/open", json={"code": links.pack(each)}).status_code == 200
    [kept] = (tmp_path / "kept").glob("*-lakes-*.json")
    assert json.loads(kept.read_text())["actions"] == record["actions"]
    other = {**record, "map_digest": "0"}
    assert "another version of Lakes" in refusal(own_maps, "/api/open", {"code": links.pack(other)})


def test_two_maps_of_one_name(lakes: Map) -> None:
    with pytest.raises(MapError, match="two maps are called 'lakes'"):
        Hall(boards=[lakes, lakes])


# Bad input --------------------------------------------------------------------------------------


def test_nederland_is_offered_first(server: Server) -> None:
    """The lobby chooses the first map unless somebody chooses another."""
    assert [map["name"] for map in server.hall.offers()["maps"]] == ["nederland", "mini", "nordic", "usa"]


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


def test_a_record_that_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "full").touch()  # no folder can be there
    with TestClient(Server(Hall(save=tmp_path / "full" / "records")).app, base_url=HERE) as client:
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
        '{"pace":NaN,"paused":false}',
        ASK_NOBODY,
    ],
)
def test_messages_that_make_no_sense(client: TestClient, text: str) -> None:
    with visiting(client, deal(client, PERSON, PERSON)["seats"][0]["link"]) as visitor:
        visitor.socket.send_text(text)
        assert "nothing was done" in visitor.hear_of("error")["text"]
        visitor.act(offered(visitor.position["offer"])[0])  # and the game goes on


def test_a_message_that_is_too_long_ends_the_line(client: TestClient) -> None:
    link = deal(client, PERSON, PERSON)["seats"][0]["link"]
    with visiting(client, link) as visitor, pytest.raises(WebSocketDisconnect) as closed:
        visitor.socket.send_text(" " * 3000)
        visitor.hear_of("nothing")
    assert closed.value.code == 1009 and "too long" in closed.value.reason
    with visiting(client, link) as visitor:
        assert visitor.position["offer"] is not None  # nothing was lost


def test_too_many_messages_end_the_line(client: TestClient) -> None:
    link = deal(client, PERSON, PERSON)["seats"][0]["link"]
    with visiting(client, link) as visitor, pytest.raises(WebSocketDisconnect) as closed:
        for _ in range(1200):
            visitor.say(look=None)
        visitor.hear_of("nothing")
    assert closed.value.code == 1008 and "too many" in closed.value.reason


def test_a_request_that_is_too_large_or_no_json(client: TestClient) -> None:
    assert (
        client.post("/api/open", content=b"x" * 30_000).json()["error"] == "That is too much: at most 19 kB are taken."
    )
    assert client.post("/api/tables", content=b"x").json()["error"] == "That is no JSON."
    assert client.post("/api/tables", content=b"[]").status_code == 400


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


def test_the_record_of_a_game_between_people_is_theirs_when_it_is_over(client: TestClient) -> None:
    link = deal(client, PERSON, PERSON)["seats"][0]["link"]
    for address in ("/api/record", "/api/film", "/api/play-on"):
        form = {**parts(link), "decision": 0, "seats": [PERSON, PERSON]}
        assert "when the game is over" in refusal(client, address, form)


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
