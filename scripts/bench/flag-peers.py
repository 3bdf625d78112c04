"""Times evaluations by UnleashClient, its core yggdrasil, and GrowthBook; rows as FlagBench prints them.

flag-peers.py [SPECIFICATION]
"""

import json
import sys
import time

ROUNDS = 50_000
ROLLOUT = {
    "version": 2,
    "features": [
        {
            "name": "rollout",
            "enabled": True,
            "strategies": [
                {
                    "name": "flexibleRollout",
                    "parameters": {"rollout": "50", "stickiness": "userId", "groupId": "rollout"},
                }
            ],
        }
    ],
}


def row(name, evaluate, arguments):
    start = time.process_time()
    on = sum(1 for argument in arguments if evaluate(argument))
    seconds = time.process_time() - start
    print(f"| {name} | {int(len(arguments) / seconds)} per CPU second | {on} of {len(arguments)} on |", flush=True)


def users():
    return [{"userId": f"user-{number}"} for number in range(ROUNDS)]


def yggdrasil(specification):
    from yggdrasil_engine.engine import UnleashEngine

    engine = UnleashEngine()
    engine.take_state(json.dumps(ROLLOUT))
    row("yggdrasil, flexibleRollout", lambda user: engine.is_enabled("rollout", user).is_enabled, users())
    if specification:
        with open(specification, encoding="utf-8") as file:
            document = json.load(file)
        engine.take_state(json.dumps(document["state"]))
        cases = [(test["toggleName"], test["context"]) for test in document["tests"]]
        cases = (cases * (ROUNDS // len(cases) + 1))[:ROUNDS]
        row("yggdrasil, cases", lambda case: engine.is_enabled(*case).is_enabled, cases)


def unleash():
    from UnleashClient import UnleashClient
    from UnleashClient.cache import FileCache

    cache = FileCache("flag-peers")
    cache.bootstrap_from_dict(ROLLOUT)
    client = UnleashClient("http://127.0.0.1:9/api", "bench", disable_metrics=True, disable_registration=True, cache=cache)
    client.initialize_client(fetch_toggles=False)
    row("UnleashClient, flexibleRollout", lambda user: client.is_enabled("rollout", user), users())
    client.destroy()


def growthbook():
    from growthbook import GrowthBook

    features = {"rollout": {"defaultValue": False, "rules": [{"force": True, "coverage": 0.5, "hashAttribute": "id"}]}}
    peer = GrowthBook(features=features)

    def evaluate(user):
        peer.set_attributes({"id": user["userId"]})
        return peer.is_on("rollout")

    row("GrowthBook, coverage", evaluate, users())


def main():
    specification = sys.argv[1] if len(sys.argv) > 1 else None
    for peer in (lambda: yggdrasil(specification), unleash, growthbook):
        try:
            peer()
        except ImportError as error:
            print(f"| {error.name} | not installed |", file=sys.stderr)


main()
