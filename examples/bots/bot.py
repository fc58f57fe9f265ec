#!/usr/bin/env python3
"""A complete hegemon bot, standard library only. The protocol: docs/protocol.md."""
import json
import random
import sys


class Game:
    def __init__(self, message):
        territories = message["map"]["territories"]
        self.seat, self.rng = message["seat"], random.Random(int(message["seed"]))
        self.near = [t["neighbors"] for t in territories]
        self.continent = [message["map"]["continents"][t["continent"]] for t in territories]

    def choose(self, message):
        """Calls the method that is called like the kind of move; nothing means end."""
        view, groups = message["view"], [g for g in message["groups"] if g["kind"] != "end"]
        self.owners, self.armies = view["owners"], view["armies"]
        return (groups and getattr(self, groups[0]["kind"])(groups, view)) or "end"

    def enemies(self, t):
        return [n for n in self.near[t] if self.owners[n] != self.seat]

    def worth(self, t):
        """Most for a small continent of which much is ours."""
        land = self.continent[t]["territories"]
        mine = sum(self.owners[x] == self.seat for x in land)
        bonus = self.continent[t]["bonus"] + 1
        return bonus * (mine + 1) / len(land) ** 2 + self.rng.random() / 100

    def claim(self, groups, view):
        return f"c{max(groups[0]['to'], key=self.worth)}"

    def capital(self, groups, view):
        return f"k{min(groups[0]['to'], key=lambda t: len(self.enemies(t)))}"

    def trade(self, groups, view):
        return groups[0]["move"]

    def place(self, groups, view):
        """All on one, where the best target is near and can be taken."""
        most = groups[0]["armies"][1]
        def value(t):
            strength = self.armies[t] + most
            targets = self.enemies(t) if self.owners[t] == self.seat else []
            return max((self.worth(n) * min(4, strength / self.armies[n]) for n in targets), default=0)
        return f"p{max(groups[0]['to'], key=value)}x{most}"

    def attack(self, groups, view):
        """The best target among those that are weaker."""
        options = [(self.worth(to), g["from"], to, g["armies"][1]) for g in groups for to in g["to"]
                   if self.armies[g["from"]] > self.armies[to] + 1]
        return options and "a{1}>{2}x{3}".format(*max(options))

    def occupy(self, groups, view):
        """All go on, unless only the old place still has enemies around it."""
        stay = self.enemies(view["front"]["from"]) and not self.enemies(view["front"]["to"])
        return f"o{groups[0]['armies'][0 if stay else 1]}"

    def fortify(self, groups, view):
        """The largest army without an enemy around it goes where there are some."""
        options = [(g["armies"][1], len(self.enemies(to)), g["from"], to) for g in groups
                   for to in g["to"] if not self.enemies(g["from"])]
        return options and max(options)[1] and "f{2}>{3}x{0}".format(*max(options))


game = None
for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        continue
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "example.py"}), flush=True)
    elif message["type"] == "new_game":
        game = Game(message)
    elif message["type"] == "choose":
        answer = {"type": "move", "id": message["id"], "move": game.choose(message)}
        print(json.dumps(answer), flush=True)
