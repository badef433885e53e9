"""The server as pages meet it: tables, seats, positions, records, and who looks on."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tests.helpers.visitor import PERSON, agent, deal, offered, parts, play_to_the_end, refusal, visiting
from ttr_env import Game, agents, render
from ttr_env.web import hall, links
from ttr_env.web.app import Server
from ttr_env.web.tables import Event, retell

# Playing ----------------------------------------------------------------------------------------


def test_a_person_plays_against_an_agent_to_the_end(client: TestClient, records: Path) -> None:
    link = deal(client, PERSON, agent("planner"))["seats"][0]["link"]
    with visiting(client, link) as visitor:
        assert visitor.introduction["seat"] == 0
        play_to_the_end(visitor)
        told = visitor.position
    assert told["open"] and told["state"]["result"]["rows"][0]["won"]
    [file] = records.iterdir()  # and nothing half written beside it
    record = json.loads(file.read_text())
    assert file.suffix == ".json" and record["agents"] == ["Anna", "planner"] and Game.replay(record).over
    assert record["people"] == [0]
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


def test_agents_wait_for_second_thoughts_even_at_once(client: TestClient, server: Server) -> None:
    link = deal(client, PERSON, agent("planner"))["seats"][0]["link"]
    room = server.hall.rooms[parts(link)["table"]]
    room.limits = replace(room.limits, grace=60.0)
    with visiting(client, link) as visitor:
        visitor.say(pace=0, paused=False)
        visitor.act(offered(visitor.await_turn())[0])
        assert visitor.position["undo"] and visitor.position["waits"] == 1
        visitor.say(undo=visitor.position["stamp"])
        assert visitor.await_turn() is not None and visitor.position["decisions"] == 0


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
    named = render.to_svg(game, 0, names=["Anna", "planner"])
    assert client.post("/api/picture", json={**parts(link), "kind": "svg"}).text == named != whole
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


def test_more_agents_than_can_be_asked_at_once(client: TestClient) -> None:
    with visiting(client, deal(client, PERSON, agent("planner"))["seats"][0]["link"]) as visitor:
        visitor.say(ask=["planner"] * 7, decision=0)
        assert visitor.hear_of("error")["text"] == "At most 6 agents can be asked at once, and you chose 7."
        visitor.say(ask=["planner"] * 6, decision=0)
        assert all(visitor.hear_of("opinion")["agent"] == "planner" for _ in range(6))


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


@pytest.mark.parametrize("people", [[0], [], None])
def test_an_opened_record_keeps_who_were_people(client: TestClient, people: list[int] | None) -> None:
    record = {**agents.play(Game(seed=7), ["planner", "planner"]).record(), "agents": ["planner", "racer"]}
    if people is not None:
        record["people"] = people
    shown = client.post("/api/open", json={"record": record}).json()
    assert client.post("/api/record", json=parts(shown["watch"])).json()["record"] == record


@pytest.mark.parametrize("people", ["Anna", [2], [True], [[]], {"0": 1}])
def test_people_that_there_cannot_be_are_passed_over(client: TestClient, people: Any) -> None:
    shown = client.post("/api/open", json={"record": {**Game(seed=7).record(), "people": people}}).json()
    assert "people" not in client.post("/api/record", json=parts(shown["watch"])).json()["record"]


def test_who_opened_a_table_can_close_it(client: TestClient, server: Server) -> None:
    links = deal(client, PERSON, PERSON)
    first, second = (seat["link"] for seat in links["seats"])
    for other in (second, links["look_on"]):
        assert "Only the one who opened" in refusal(client, "/api/close", parts(other))
    with visiting(client, first) as anna, visiting(client, second) as ben:
        assert anna.introduction["closes"] and not ben.introduction["closes"]
        assert client.post("/api/close", json=parts(first)).status_code == 200
        with pytest.raises(WebSocketDisconnect) as closed:
            ben.hear_of("never")
        assert closed.value.reason == "This table was closed."
    assert not server.hall.rooms
    watched = deal(client, agent("planner"), agent("planner"))["watch"]
    assert client.post("/api/close", json=parts(watched)).status_code == 200 and not server.hall.rooms


def test_others_play_while_a_long_record_is_opened(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, played = threading.Event(), threading.Event()

    def retell_slowly(record: Mapping[str, Any]) -> tuple[Game, list[Event]]:
        begun.set()
        assert played.wait(20), "nobody can play meanwhile"
        return retell(record)

    monkeypatch.setattr(hall, "retell", retell_slowly)
    link = deal(client, PERSON, PERSON)["seats"][0]["link"]
    with visiting(client, link) as visitor, ThreadPoolExecutor() as elsewhere:
        opening = elsewhere.submit(client.post, "/api/open", json={"record": Game(seed=7).record()})
        assert begun.wait(20)
        visitor.act(offered(visitor.position["offer"])[0])
        played.set()
        assert opening.result().json()["watch"]


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
