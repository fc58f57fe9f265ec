"""Luck and skill of a record, hints, rollouts, campaigns, threat."""

import threading

import pytest

import hegemon

GAME = hegemon.Game("triangle3", "lux", players=2)


def position(board):
    return hegemon.State(GAME, f"board={board} phase=attack player=0 round=3")


def test_an_analysis_tells_luck_and_skill_apart():
    record = hegemon.play(["killbot", "random"], rules="lux", seed=2)
    told = []
    found = hegemon.analyze(
        record, level="fast", threads=2, progress=lambda done, total: told.append((done, total))
    )
    assert found == hegemon.analyze(record, level="fast", threads=1)
    assert found.n_judged == found.n_decisions > 10
    assert told[-1] == (found.n_judged, found.n_judged)
    assert found.points[-1].n_events == len(record)
    for point in found.points:
        assert sum(point.chances) == pytest.approx(1, abs=1e-6)
        assert point.luck is None or sum(point.luck.by_seat) == pytest.approx(0, abs=1e-6)
    for seat, totals in enumerate(found.totals):
        luck = totals.dice_luck + totals.cards_luck + totals.deal_luck
        assert totals.adjusted == pytest.approx(totals.result - luck)
        losses = [p.skill.loss for p in found.points if p.seat == seat and p.skill]
        assert totals.decisions == len(losses)
        assert totals.loss == pytest.approx(sum(losses))
    marked = [point for point in found.points if point.skill and point.skill.mark]
    assert len(found.mistakes) == len(marked) > 0
    assert found.mistakes[0].skill.loss == max(point.skill.loss for point in marked)
    assert "<table>" in found._repr_html_() and "killbot" in str(found)


def test_an_analysis_can_be_stopped():
    record = hegemon.play(["killbot", "random"], rules="lux", seed=2)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hegemon.analyze(record, level="deep", progress=stop)
    with pytest.raises(hegemon.HegemonError, match="level"):
        hegemon.analyze(record, level="wild")


def test_a_hint_is_a_plan_that_can_be_played():
    state = position("a9b1b1")
    found = hegemon.hint(state, level="fast", plans=3)
    best = found.plans[0]
    assert state.is_legal(best.moves[0]) and hegemon.Move(best.moves[0]).kind == "attack"
    assert best.chance >= found.plans[-1].chance
    assert sum(found.chances) == pytest.approx(1, abs=1e-6)
    assert best.words in str(found) and best.why in found._repr_html_()
    assert found == hegemon.hint(state, level="fast", plans=3)
    with pytest.raises(hegemon.HegemonError, match="waits for no decision"):
        hegemon.hint(GAME.start(), level="fast")


def test_rollouts_have_errors_that_shrink():
    state = position("a4b3b2")
    few, many = (hegemon.rollouts(state, n, seed=1) for n in (20, 500))
    assert sum(few[0]) == pytest.approx(1, abs=1e-6)
    assert many[1][0] < few[1][0]
    with pytest.raises(hegemon.HegemonError, match="rollouts"):
        hegemon.rollouts(state, 0)


def test_a_campaign_of_one_battle_is_the_battle():
    state = position("a6b3a1")
    found = hegemon.campaign(state, [1], source=0)
    assert found.chance == pytest.approx(hegemon.odds(5, 3).win)
    assert (found.source, found.armies, len(found.by_armies)) == (0, 6, 7)
    assert [step.territory for step in found.steps] == [1]
    names = state.map.territories
    assert hegemon.campaign(state, [names[1]], source=names[0]) == found
    whole = hegemon.campaign(state, 1)
    assert whole.chance == found.chance
    needed = hegemon.campaign(state, 1, need=0.9).armies
    chances = hegemon.campaign(state, 1, armies=needed).by_armies
    assert chances[needed] >= 0.9 > chances[needed - 1]
    with pytest.raises(hegemon.HegemonError, match="there is no continent"):
        hegemon.campaign(state, "Atlantis")
    with pytest.raises(hegemon.HegemonError, match="nothing is left"):
        hegemon.campaign(state, 0)


def test_threat_names_every_own_territory():
    state = position("a9a1b9")
    held = hegemon.threat(state, rollouts=200)
    assert {one.territory for one in held} == {0, 1}
    assert held[0].territory == 1, "the weak one is the least safe"
    for one in held:
        assert one.ci95[0] <= one.chance <= one.ci95[1]
    assert {one.territory for one in hegemon.threat(state, seat=1, rollouts=20)} == {2}


def test_the_interpreter_is_free_while_rollouts_run():
    state = hegemon.Game("classic", "lux", players=3).deal(7)
    is_over, is_rolling = threading.Event(), threading.Event()
    n_beats = 0

    def beat():
        nonlocal n_beats
        while not is_over.wait(0.001):
            n_beats += is_rolling.is_set()

    heart = threading.Thread(target=beat)
    heart.start()
    # A busy machine lets the heart wait: as many calls as it needs, and no more than it may.
    for _ in range(200):
        is_rolling.set()
        hegemon.rollouts(state, 400)
        is_rolling.clear()
        if n_beats >= 5:
            break
    is_over.set()
    heart.join()
    assert n_beats >= 5
