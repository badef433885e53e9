"""Who may ask: this server's own pages, under its own name, with its token where there is one."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ttr_env import maps
from ttr_env.web.app import Server
from ttr_env.web.hall import Hall

HERE = "http://127.0.0.1:8470"


@pytest.fixture
def with_token() -> Iterator[TestClient]:
    """A server on the local network."""
    with TestClient(Server(Hall(), "0.0.0.0", "right").app, base_url="http://192.168.1.7:8470") as client:
        yield client


@pytest.mark.parametrize("host", ["127.0.0.1:8470", "localhost:8470", "[::1]:8470"])
def test_the_server_s_own_names(client: TestClient, host: str) -> None:
    assert client.get("/api/lobby", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8470", "localhost.evil.example", ""])
def test_a_foreign_name_that_leads_here(client: TestClient, host: str) -> None:
    answer = client.get("/api/lobby", headers={"host": host})
    assert answer.status_code == 403 and "open the link that it printed" in answer.text


def test_a_foreign_page(client: TestClient) -> None:
    for origin in ("http://evil.example", "http://127.0.0.1:9999", "null"):
        answer = client.post("/api/tables", json={}, headers={"origin": origin})
        assert answer.status_code == 403 and "may ask nothing here" in answer.text
        line = client.websocket_connect("ws://127.0.0.1:8470/socket", headers={"origin": origin})
        with pytest.raises(WebSocketDisconnect), line:
            pass
    assert client.post("/api/tables", json={}, headers={"origin": HERE}).status_code == 400


def test_without_the_token_nothing_is_answered(with_token: TestClient) -> None:
    for path in ("/", "/api/lobby", "/static/page.css", "/?token=wrong"):
        answer = with_token.get(path)
        assert answer.status_code == 403 and "token" in answer.text
    with pytest.raises(WebSocketDisconnect), with_token.websocket_connect("ws://192.168.1.7:8470/socket"):
        pass


def test_the_token_is_needed_once_in_the_address(with_token: TestClient) -> None:
    answer = with_token.get("/?token=right", follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    assert "HttpOnly" in answer.headers["set-cookie"] and "samesite=lax" in answer.headers["set-cookie"].lower()
    assert with_token.get("/api/lobby").status_code == 200
    form = {"map": "nederland", "options": {}, "seed": 1, "seats": [{"agent": None, "name": ""}] * 2}
    link = with_token.post("/api/tables", json=form).json()["seats"][1]["link"]
    assert re.fullmatch(r"/table/[\w-]+\?token=right#[\w-]+", link)  # who is invited needs it too


def test_with_the_token_another_site_still_changes_nothing(with_token: TestClient) -> None:
    with_token.get("/?token=right")
    assert with_token.get("/api/lobby").status_code == 200
    for origin in ("http://evil.example", "http://192.168.1.7:9999", "null"):
        for address in ("tables", "play-on", "open", "close", "record", "picture", "film"):
            answer = with_token.post(f"/api/{address}", json={}, headers={"origin": origin})
            assert answer.status_code == 403 and "may ask nothing here" in answer.text
        line = with_token.websocket_connect("ws://192.168.1.7:8470/socket", headers={"origin": origin})
        with pytest.raises(WebSocketDisconnect), line:
            pass


def test_the_name_of_the_machine_with_and_without_local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Study.lan")
    with TestClient(Server(Hall(), "0.0.0.0").app) as client:
        for host, status in [("study.lan", 200), ("study.local:8470", 200), ("other.local", 403), ("local", 403)]:
            assert client.get("/api/lobby", headers={"host": host}).status_code == status


@pytest.mark.parametrize("path", ["/", "/table/any", "/static/table.js", "/look.css", "/maps/nordic.svg"])
def test_pages_run_nothing_but_what_comes_from_here(client: TestClient, path: str) -> None:
    answer = client.get(path)
    policy = answer.headers["content-security-policy"]
    assert answer.status_code == 200
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
    if path in ("/", "/table/any"):
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|<style|\sstyle=|https?://", answer.text)


def test_files_of_the_page_are_small(client: TestClient) -> None:
    import gzip

    from ttr_env.web import app

    names = {"/", "/table/any", "/look.css", *(f"/maps/{map}.svg" for map in maps.names())}
    names |= {f"/static/{file}" for file in app.static_files()}
    total = sum(len(gzip.compress(client.get(name).content)) for name in names)
    assert total < 100_000


@pytest.mark.parametrize("header", ["host", "origin"])
def test_addresses_with_brackets_that_are_none(client: TestClient, header: str) -> None:
    assert client.get("/api/lobby", headers={header: "http://[127.0.0.1"}).status_code == 403
