"""Embedding: a deal may be framed by other pages, and no other page may."""

import re
from html import unescape

from webui.server.responses import CONTENT_SECURITY_POLICY


def test_only_the_page_for_frames_may_be_framed(client, stored):
    inside = client.get(f"/embed/games/{stored}/deals/1?step=4").headers
    assert inside["Content-Security-Policy"] == CONTENT_SECURITY_POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    )
    assert "X-Frame-Options" not in inside
    for path in (f"/games/{stored}/deals/1", f"/games/{stored}", "/embed/games/none/deals/1"):
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


def test_it_sends_what_may_be_seen_and_no_chrome(client, stored):
    page = client.get(f"/embed/games/{stored}/deals/1?step=4&see=0&until=6").text
    whole = client.get(f"/games/{stored}/deals/1.json?see=0&until=6").json
    embedded = re.search(r'id="deal">(.*?)</script>', page, re.DOTALL).group(1)
    assert embedded.count('"say"') == len(whole["steps"]) == 7
    assert '<header class="top"' not in page
    assert not re.search(r"\sstyle\s*=|<style|\son[a-z]+\s*=|javascript:", page)


def test_its_links_stay_in_the_frame_but_for_the_one_to_the_whole_page(client, stored):
    page = client.get(f"/embed/games/{stored}/deals/1?step=4&near=1").text
    for tag in re.findall(r"<a [^>]*>", page):
        inside = f'href="/embed/games/{stored}/' in tag
        assert inside != ('target="_blank"' in tag)


def test_the_replay_offers_the_text_of_the_frame(client, stored):
    page = client.get(f"/games/{stored}/deals/1?step=4&near=1").text
    assert f'src="http://localhost/embed/games/{stored}/deals/1?step=4&amp;near=1"' in page


def test_no_name_leaves_the_text_of_the_frame(client, stored):
    page = client.get(f"/games/{stored}/deals/1").text
    offered = unescape(re.search(r'<textarea id="embed"[^>]*>(.*?)</textarea>', page).group(1))
    assert "<Bob>" not in offered
    title = re.search(r'title="([^"]*)"', offered).group(1)
    assert unescape(title) == "Ann – <Bob>, deal 1"
