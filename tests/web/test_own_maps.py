"""Maps at a server: which are offered, and those of one's own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.helpers.visitor import HERE, agent, deal, parts, refusal, visiting
from ttr_env import MapError, maps
from ttr_env.maps import Map
from ttr_env.web import links
from ttr_env.web.app import Server
from ttr_env.web.hall import Hall

LAKES = Path(__file__).parents[2] / "docs" / "lakes"


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


def test_nederland_is_offered_first(server: Server) -> None:
    """The lobby chooses the first map unless somebody chooses another."""
    assert [map["name"] for map in server.hall.offers()["maps"]] == ["nederland", "mini", "nordic", "usa"]
