"""A bot at the lab: it plays a few games over the API and reads its own review.

With `--address URL` it plays at a lab that is running, else it starts one. It holds at 20.
"""

import argparse
import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request


class Lab:
    """The lab, as a bot sees it: an address and a token."""

    def __init__(self, address):
        self.address, self.token = address, None
        self.token = self.ask("POST", "/api/players")["token"]

    def ask(self, method, path, body=None):
        """Return the document that answers a request; 202 means that a game is being solved."""
        headers = {"content-type": "application/json", "authorization": f"Bearer {self.token}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        while True:
            with urllib.request.urlopen(request) as answer:
                if answer.status != 202:
                    return json.load(answer)


@contextlib.contextmanager
def own_lab(folder):
    """Start a lab with known dice, give its address, and end it afterwards."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    options = ["--no-browser", "--seed", "1", "--port", str(port), "--data", f"{folder}/lab.db"]
    command = [sys.executable, "-m", "dicelab", "lab", *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        address, up = f"http://127.0.0.1:{port}", False
        while not up and server.poll() is None:
            time.sleep(0.1)
            with contextlib.suppress(urllib.error.URLError):
                up = urllib.request.urlopen(f"{address}/api/status").status == 200
        yield address
        server.terminate()


def play(lab, target):
    """Return the review of one game, played to its end."""
    game = {"game": "pig", "parameters": {"target": target}, "starts": "coin", "coach": "off"}
    match = lab.ask("POST", "/api/matches", {**game, "opponent": {"kind": "optimal"}})
    while not match["over"]:
        move = "hold" if match["position"]["fields"]["at_risk"] >= 20 else "roll"
        body = {"move": move, "ply": match["ply"]}
        match = lab.ask("POST", f"/api/matches/{match['id']}/moves", body)
    return lab.ask("GET", f"/api/reviews/{match['id']}")


def main(arguments=None):
    """Play, and print what every game brought and what it cost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--address", help="of a lab that is running; without it, one is started")
    address = parser.parse_args(arguments).address
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        lab = Lab(address or stack.enter_context(own_lab(folder)))
        for number in range(1, 4):
            review = play(lab, target=60)
            cost, luck = (f"{100 * review['you'][name]:+.1f}%" for name in ("cost", "luck"))
            print(f"{number}: {review['result']['sentence']} mistakes {cost}, luck {luck}")
        print(lab.ask("GET", "/api/history")["style"][0]["sentence"])


if __name__ == "__main__":
    main()
