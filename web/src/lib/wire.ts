// The messages of the server, as its OpenAPI document describes them.
// Written by `cargo xtask generate` from the types of the server: do not edit.

/** Owner of a territory that nobody has. */
export const NOBODY = -1;

/** Owner of the neutral army's territories. */
export const NEUTRAL = -2;

/** The program. */
export type About = {
  /** Its name. */
  program: string;
  /** Its version. */
  version: string;
  /** Version, commit and behaviour signature. */
  build: string;
  /** Version of this contract. */
  protocol: number;
  /** Where others can reach the server. */
  reach: Reach;
};

/** How thorough an analysis is. */
export type AnalysisLevel = "fast" | "normal" | "deep";

/** The game after an event. */
export type AnalysisPoint = {
  /** Index of the event's frame in the replay. */
  frame: number;
  /** Whose turn it was. */
  seat: Seat;
  /** Chance to win by seat. */
  chances: number[];
  /** Standard errors of the chances, where they are means of rollouts. */
  errors: number[] | null;
  /** What chance brought. */
  luck: {
    /** What it decided. */
    kind: "dice" | "cards" | "deal";
    /** Win chance above its mean, by seat. */
    by_seat: number[];
  } | null;
  /** How good the decision was. */
  skill: Skill | null;
};

/** Where the analysis of a game stands. */
export type AnalysisState =
  | {
    state: "none";
  }
  | {
    state: "waiting";
    /** Games that come before it. */
    n_before: number;
  }
  | {
    state: "running";
    /** Steps done. */
    n_done: number;
    /** Steps in all; 0 while they are counted. */
    n_steps: number;
  }
  | {
    state: "done";
    /** The analysis. */
    analysis: GameAnalysis;
  }
  | {
    state: "failed";
    /** Why, in a sentence. */
    message: string;
  };

/** Totals of a player. */
export type AnalysisTotals = {
  /** Share of the win. */
  result: number;
  /** Luck of the dice, in win chance. */
  dice_luck: number;
  /** Luck of the cards. */
  cards_luck: number;
  /** Luck of the deal. */
  deal_luck: number;
  /** The result without all luck. */
  adjusted: number;
  /** Decisions judged; those of a bot that stood in count for nobody. */
  decisions: number;
  /** Win chance given away, summed up. */
  loss: number;
  /** Its standard error. */
  loss_error: number;
  /** Of the chance to win that was there, the share that the decisions kept, from 0 to 1; none without a decision. */
  accuracy: number | null;
  /** Decisions that cost a little. */
  inaccuracies: number;
  /** Decisions that cost much. */
  errors: number;
  /** Decisions that cost very much. */
  blunders: number;
};

/** The body of the arena page. */
export type Arena = {
  /** The pool, if there is one. */
  pool: ArenaPool | null;
};

/** A game of the pool. */
export type ArenaGame = {
  /** Its name: wave, block and game. */
  id: string;
  /** The bots by seat. */
  players: string[];
  /** Placement by seat, from 1. */
  places: number[];
  /** Rounds played. */
  rounds: number;
  /** The ending as one word. */
  ending: string;
};

/** The standing of a pool. */
export type ArenaPool = {
  /** Name of the file. */
  file: string;
  /** Name of the rules preset, or `custom`. */
  rules: string;
  /** Name of the map. */
  map: string;
  /** Seats of a game. */
  n_players: number;
  /** Games in the store. */
  games: number;
  /** The bots, best first. */
  ratings: ArenaRating[];
  /** What they made of each other. */
  cross: {
    /** The bot. */
    a: string;
    /** The other. */
    b: string;
    /** Games in which both took part. */
    games: number;
    /** Share of the points of `a`. */
    share: number;
  }[];
  /** When the file last changed, in seconds since 1970. */
  updated: number;
};

/** A bot of the standing. */
export type ArenaRating = {
  /** What it is called: its spec, or the name and version that a program states. */
  title: string;
  /** Elo, the mean of the pool being 0. */
  rating: number;
  /** Lower end of the 95 % interval. */
  low: number;
  /** Upper end. */
  high: number;
  /** Games played. */
  games: number;
  /** Share of the wins. */
  score: number;
};

/** What a position waits for. */
export type Awaited = "player" | "chance" | "nothing";

/** Exact odds of a battle. */
export type BattleOdds = {
  /** Armies that may fight. */
  attackers: number;
  /** Armies of the defender. */
  defenders: number;
  /** Chance that the attacker conquers. */
  win: number;
  /** Fighting armies left, in the mean. */
  expected_attackers_left: number;
  /** Armies of the defender left, in the mean. */
  expected_defenders_left: number;
  /** Losses of the attacker, in the mean. */
  expected_attacker_losses: number;
  /** Losses of the defender, in the mean. */
  expected_defender_losses: number;
  /** All ends of the battle. */
  outcomes: {
    /** Fighting armies left. */
    attackers: number;
    /** Armies of the defender left. */
    defenders: number;
    /** How likely it is. */
    probability: number;
  }[];
};

/** A bot that a game may have. */
export type BotInfo = {
  /** Its name in specs. */
  name: string;
  /** What it is, in a line. */
  about: string;
  /** What a spec may say. */
  parameters: {
    /** Its name in specs. */
    name: string;
    /** Its value where a spec does not say. */
    default: string;
    /** What it does, in a line. */
    about: string;
  }[];
};

/** The odds of a campaign. */
export type CampaignOdds = {
  /** Armies of the stack. */
  armies: number;
  /** Chance to take everything. */
  chance: number;
  /** Whether all orders and ways were tried; if not, the chance is a lower bound. */
  is_exact: boolean;
  /** The best order as long as battles end as they most often do. */
  steps: CampaignStep[];
  /** Armies lost, on average. */
  losses: number;
  /** Chance by armies of the stack, from 0 up to those it has. */
  by_armies: number[];
  /** The fewest armies for the chance that was asked for, if one was. */
  need: number | null;
};

/** A question for the odds of a campaign. */
export type CampaignRequest = {
  /** Where. */
  position: PositionRequest;
  /** Where the stack stands. */
  from: Territory;
  /** What it takes. */
  goal: {
    kind: "continent";
    /** Its number. */
    continent: number;
  } | {
    kind: "player";
    /** Which. */
    player: Seat;
  } | {
    kind: "route";
    /** The territories. */
    territories: Territory[];
  };
  /** Armies of the stack; those that stand there if left out. */
  armies?: number;
  /** Armies that each conquered territory keeps; 1 if left out. */
  garrison?: number;
  /** How many armies does this chance need? */
  need?: number;
};

/** A conquest of a campaign. */
export type CampaignStep = {
  /** What is taken. */
  territory: Territory;
  /** Where from. */
  from: Territory;
  /** Its defenders. */
  defenders: number;
  /** Whether the stack moves on into it; else it stays and sends a garrison. */
  moves_on: boolean;
  /** Armies left behind, or sent in if the stack stays. */
  garrison: number;
  /** Chance that it falls in the campaign. */
  taken: number;
};

/** Number of the card's territory, or w for a wild card. */
export type Card = string;

/** Exact odds of one territory after another. */
export type ChainOdds = {
  /** Chance that all are conquered. */
  win: number;
  /** The territories. */
  steps: {
    /** Its armies. */
    defenders: number;
    /** Chance that it is conquered, and all before it. */
    reached: number;
  }[];
  /** Armies that arrive at the end, in the mean. */
  expected_left: number;
  /** All numbers of armies that may arrive at the end. */
  outcomes: {
    /** Armies that arrive. */
    attackers: number;
    /** How likely it is. */
    probability: number;
  }[];
};

/** A question for a move. */
export type Choose = {
  /** Number of the question: the answer repeats it. */
  id: number;
  /** The legal moves, in groups. */
  groups: Group[];
  /** How many moves are legal. */
  n_moves: number;
  /** The legal moves one by one, unless there are too many. */
  moves: string[] | null;
};

/** Number of a continent in the map's list of continents. */
export type Continent = number;

/** A game that was made. */
export type CreatedGame = {
  /** Its name in links. */
  id: string;
  /** Its seats. */
  seats: {
    /** Its number. */
    seat: Seat;
    /** Who plays. */
    kind: SeatKind;
    /** The name shown. */
    name: string;
    /** What opens it; null for a bot, and in a rematch, where people have theirs. */
    token: string | null;
  }[];
  /** Where everybody may watch it. */
  watch_url: string;
};

/** The dice of a battle. Both sides always roll as many as allowed. */
export type Dice = {
  /** The most dice the attacker rolls. */
  "attacker-max": number;
  /** The most dice the defender rolls, those of a capital aside. */
  "defender-max": number;
  /** The defender rolls more than one die only from this many armies: 2 in the official rule, 3 in the program of the sampling MCTS paper. */
  "defender-second-from": number;
  /** Whether equal dice cost the defender an army instead of the attacker (zombies lose ties when they defend). */
  "ties-to-attacker": boolean;
};

/** Why a request was refused. */
export type Error = {
  /** The error. */
  error: {
    /** One word for programs. */
    code: string;
    /** One sentence for people. */
    message: string;
  };
};

/** What a program of the host wrote to its error output in a game. */
export type ErrorOutput = {
  /** Its seat. */
  seat: Seat;
  /** Name of the bot. */
  name: string;
  /** The last that it wrote. */
  text: string;
};

/** What everybody sees after an event. */
export type Frame = {
  /** Owners by territory. */
  owners: number[];
  /** Armies by territory. */
  armies: number[];
  /** Number of cards by seat. */
  n_cards: number[];
  /** Armies that each seat would get now, cards aside. */
  income: number[];
  /** Armies that must still be placed now. */
  to_place: number;
  /** The round. */
  round: number;
  /** The phase as one word. */
  phase: string;
  /** Whose turn it is; none at the end. */
  mover: Seat | null;
};

/** A message to the server on a socket. `crate::reading::tagged` reads it, so that a fault names its field. */
export type FromClient =
  | {
    type: "move";
    /** Number of the question. */
    id: number;
    /** The move, in notation. */
    move: string;
  }
  | {
    type: "attack";
    /** Number of the question. */
    id: number;
    /** Where the armies come from. */
    from: Territory;
    /** What they attack. */
    to: Territory;
    /** Stop when `from` has this many armies left. */
    until: number;
  }
  | {
    type: "introduce";
    /** The name. */
    name: string;
    /** The colour by number. */
    color: number;
  }
  | {
    type: "resign";
  }
  | {
    type: "return";
  }
  | {
    type: "replace";
    /** Whose seat it is. */
    seat: Seat;
  }
  | {
    type: "say";
    /** What. */
    phrase: Phrase;
  }
  | {
    type: "ping";
  };

/** A game analysed. */
export type GameAnalysis = {
  /** How thorough it is. */
  level: AnalysisLevel;
  /** Decisions of the game between two moves or more. */
  n_decisions: number;
  /** How many of them were judged; fewer if time was over. */
  n_judged: number;
  /** The game after each event, the deal being one. */
  points: AnalysisPoint[];
  /** By seat. */
  totals: AnalysisTotals[];
};

/** Something that happened; the same for everybody. */
export type GameEvent = {
  /** Number of the event, from 1. */
  seq: number;
  /** Whom it concerns. */
  seat: Seat | null;
  /** What kind of event. */
  kind: "move" | "dice" | "card" | "deal" | "note";
  /** The move in notation. */
  move: string | null;
  /** Faces of the dice. */
  dice: {
    /** The attacker's. */
    attacker: number[];
    /** The defender's. */
    defender: number[];
  } | null;
  /** Losses of both sides. */
  losses: {
    /** The attacker's. */
    attacker: number;
    /** The defender's. */
    defender: number;
  } | null;
  /** Losses of both sides in the mean, by the exact law of this attack; none where that would take too long. */
  expected: {
    /** The attacker's. */
    attacker: number;
    /** The defender's. */
    defender: number;
  } | null;
  /** A sentence. */
  text: string;
  /** The board afterwards. */
  after: Frame;
};

/** A hint in a game against bots. */
export type GameHint = {
  /** Number of the event that it came after. */
  seq: number;
  /** The best plans. */
  hints: Hints;
  /** What holds if the turn ended now. */
  threat: Threat;
};

/** A question for a hint in a game. */
export type GameHintRequest = {
  /** Token of the seat. */
  token: string;
  /** How thorough. */
  level?: AnalysisLevel;
};

/** The game in a `hello`. */
export type GameInfo = {
  /** Its name in links. */
  id: string;
  /** The map. */
  map: GameMap;
  /** The rules. */
  rules: Rules;
  /** Name of the preset, or `custom`. */
  rules_name: string;
  /** How many seats there are. */
  n_players: number;
  /** The seats. */
  seats: SeatInfo[];
  /** When the game was made. */
  created: string;
  /** Seconds that a person has for a turn; null if as long as one likes. */
  turn_seconds: number | null;
  /** The secret missions by number, if the game has them. */
  missions: Mission[];
  /** Name of the game in which its people play once more, if there is one. */
  rematch: string | null;
  /** Whether it began with a position of somebody's choice, not with a deal. */
  from_position: boolean;
};

/** A game of the list. */
export type GameLine = {
  /** Its name in links. */
  id: string;
  /** Name of the map. */
  map: string;
  /** Name of the preset, or `custom`. */
  rules_name: string;
  /** The seats. */
  seats: SeatInfo[];
  /** The round. */
  round: number;
  /** Whether it goes on. */
  status: Status;
  /** The only winner, if there is one. */
  winner: Seat | null;
  /** When the game was made. */
  created: string;
};

/** The map of the bot protocol, with places of territories (x to the right, y down) and colours of continents. */
export type GameMap = {
  /** Its name. */
  name: string;
  /** The continents, by number. */
  continents: {
    /** Its name. */
    name: string;
    /** Armies a turn for holding all of it. */
    bonus: number;
    /** Its territories. */
    territories: Territory[];
  }[];
  /** The territories, by number. */
  territories: {
    /** Its name. */
    name: string;
    /** Its continent. */
    continent: Continent;
    /** Its neighbours. */
    neighbors: Territory[];
  }[];
  /** Continents that missions of this map ask for: names, or * for any further one. */
  missions: string[][];
  /** Places of the territories: x to the right, y down. */
  positions: [number, number][];
  /** Colours of the continents. */
  colors: string[];
};

/** A game. */
export type GamePage = {
  /** Its name in links. */
  id: string;
  /** Name of the map. */
  map: string;
  /** Name of the preset, or `custom`. */
  rules_name: string;
  /** The seats. */
  seats: SeatInfo[];
  /** The round. */
  round: number;
  /** Whether it goes on. */
  status: Status;
  /** The only winner, if there is one. */
  winner: Seat | null;
  /** When the game was made. */
  created: string;
  /** The map. */
  map_object: GameMap;
  /** The rules. */
  rules: Rules;
};

/** A request for a game. Fields that are not named here are refused. */
export type GameRequest = {
  /** Name of the map. */
  map: string;
  /** Name of a preset, or all rules. */
  rules: string | Rules;
  /** The seats. */
  seats: SeatRequest[];
  /** The position that the game begins with, for one person against bots or for bots alone; dealt if left out. */
  position?: string;
  /** The seed: 64 bits in decimal digits; chosen and kept secret if left out. With two or more people their seats can then be opened from the maker's address only. */
  seed?: string;
  /** Seconds that a person has for a turn; a bot finishes it then. As long as one likes if left out. */
  turn_seconds?: number;
};

/** Legal moves: every target with every number of armies from the fewest to the most. */
export type Group =
  | {
    kind: "claim";
    /** What may be claimed. */
    to: Territory[];
  }
  | {
    kind: "capital";
    /** What may become the capital. */
    to: Territory[];
  }
  | {
    kind: "trade";
    /** The trade. */
    move: Move;
  }
  | {
    kind: "place";
    /** Where they may go. */
    to: Territory[];
    /** Fewest and most. */
    armies: [number, number];
  }
  | {
    kind: "attack";
    /** Where the armies come from. */
    from: Territory;
    /** What they may attack. */
    to: Territory[];
    /** Fewest and most. */
    armies: [number, number];
  }
  | {
    kind: "occupy";
    /** Fewest and most. */
    armies: [number, number];
  }
  | {
    kind: "fortify";
    /** Where the armies come from. */
    from: Territory;
    /** Where they may go. */
    to: Territory[];
    /** Fewest and most. */
    armies: [number, number];
  }
  | {
    kind: "end";
  };

/** Who makes the moves of a person's seat. */
export type Hands = "own" | "stand_in" | "resigned";

/** How often a territory held. */
export type HeldTerritory = {
  /** Which. */
  territory: Territory;
  /** Share of the rollouts in which it held. */
  chance: number;
  /** Lower end of the 95 % interval. */
  low: number;
  /** Upper end. */
  high: number;
};

/** The first message. */
export type Hello = {
  type: "hello";
  /** Version of the contract. */
  protocol: number;
  /** The game. */
  game: GameInfo;
  /** The seat that the token opened; none for a watcher. */
  seat: Seat | null;
  /** Number of the last event. */
  seq: number;
};

/** A question for the best plans. */
export type HintRequest = {
  /** Where. */
  position: PositionRequest;
  /** How thorough. */
  level?: AnalysisLevel;
  /** How many plans, 1 to 6. */
  plans?: number;
};

/** The best plans of a decision. */
export type Hints = {
  /** Who decides. */
  seat: Seat;
  /** Chance to win by seat. */
  chances: number[];
  /** Standard errors of the chances. */
  errors: number[];
  /** The best first. */
  plans: Plan[];
};

/** A level. */
export type Level = {
  /** Its name in requests. */
  id: string;
  /** Its name for people. */
  name: string;
  /** The bot. */
  spec: string;
  /** What to expect, in a sentence. */
  about: string;
  /** Measured strength. */
  rating: {
    /** Rating in Elo, the mean of the pool being 0. */
    elo: number;
    /** Lower end of the 95 % interval. */
    low: number;
    /** Upper end. */
    high: number;
    /** Games of this bot. */
    games: number;
    /** What was played. */
    pool: string;
  } | null;
};

/** What is wrong with a map. */
export type MapCheck = {
  /** A sentence for each fault; none if the map can be played. */
  faults: string[];
};

/** A map of the list. */
export type MapLine = {
  /** Its name. */
  name: string;
  /** How many territories it has. */
  n_territories: number;
  /** How many continents it has. */
  n_continents: number;
};

/** What self-play says about a map. */
export type MapTrial = {
  /** The bot in all seats. */
  bot: string;
  /** Games played in time. */
  games: number;
  /** Games without a single winner. */
  undecided: number;
  /** Mean rounds of a game. */
  rounds: number;
  /** Share of the wins by place in the order of play. */
  order: MapTrialShare[];
  /** By continent. */
  continents: {
    /** Its name. */
    name: string;
    /** Games in which somebody began a turn with all of it. */
    held: number;
    /** The mean round in which that first happened. */
    first_round: number | null;
    /** Share of the wins of the first who held it. */
    holder: MapTrialShare | null;
  }[];
};

/** A share of the wins. */
export type MapTrialShare = {
  /** The share. */
  share: number;
  /** Lower end of its 95 % interval. */
  low: number;
  /** Upper end. */
  high: number;
};

/** A secret mission. */
export type Mission =
  | {
    kind: "continents";
    /** The named ones. */
    continents: Continent[];
    /** How many others besides. */
    n_further: number;
  }
  | {
    kind: "territories";
    /** How many. */
    n: number;
    /** With at least this many armies on each. */
    armies: number;
  }
  | {
    kind: "eliminate";
    /** Whom. */
    player: Seat;
  };

/** A move in notation. */
export type Move = string;

/** The smallest force. */
export type NeedOdds = {
  /** Armies that may fight. */
  armies: number;
  /** Their chance to conquer. */
  win: number;
};

/** What players may say to each other; the page has the words. */
export type Phrase = "hello" | "good_luck" | "well_played" | "thanks" | "sorry" | "one_moment" | "your_turn" | "truce" | "good_game";

/** A plan. */
export type Plan = {
  /** Its moves. */
  moves: string[];
  /** The same in words. */
  words: string;
  /** Chance to win. */
  chance: number;
  /** Its standard error. */
  error: number;
  /** Own armies lost in the turn, on average. */
  losses: number;
  /** Armies that the others lose in it. */
  kills: number;
  /** Why, in a sentence. */
  why: string;
};

/** A position with all that belongs to it. */
export type Position = {
  /** Name of the map. */
  map: string;
  /** The rules. */
  rules: Rules;
  /** Name of the preset, or `custom`. */
  rules_name: string;
  /** Number of players. */
  players: number;
  /** The position as a line of text. */
  text: string;
  /** What everybody sees of it. */
  frame: Frame;
  /** What it waits for. */
  waits_for: Awaited;
  /** Seats that have not lost. */
  alive: Seat[];
  /** Cards of who decides. */
  cards: string[];
};

/** A position of a game. */
export type PositionRequest = {
  /** Name of the map. */
  map: string;
  /** Name of a preset, or all rules. */
  rules: string | Rules;
  /** Number of players. */
  players: number;
  /** The position as a line of text. */
  text: string;
};

/** A decision that cost much: what would have been better? */
export type Puzzle = {
  /** Its name. */
  id: string;
  /** The game of this server that it is from; none where it comes with the program. */
  game: string | null;
  /** The frame of that game's replay in which the decision was made. */
  frame: number;
  /** The position. */
  position: Position;
  /** What was done, in words. */
  done: string;
  /** The moves of the best plan found. */
  best: string[];
  /** The same in words. */
  best_words: string;
  /** Win chance of what was done. */
  chance: number;
  /** Win chance that it gave away. */
  loss: number;
  /** Standard error of the loss. */
  error: number;
};

/** Where others can reach the server. */
export type Reach = {
  /** Whether it listens to this machine alone. */
  is_local: boolean;
  /** Addresses for others, best first, such as `http://192.168.1.5:4272`. */
  addresses: string[];
};

/** A request to play a game once more that is over. It names nothing else, so that whoever asks first decides nothing for the others. */
export type RematchRequest = {
  /** Whether each bot of a level is one level harder; only where one person plays. */
  harder?: boolean;
  /** Token of one of its people; none for a game of bots alone. */
  token?: string;
};

/** A request to remove a game. */
export type RemoveRequest = {
  /** Tokens of all its people. */
  tokens?: string[];
};

/** A game to be looked at from beginning to end. */
export type Replay = {
  /** The map. */
  map: GameMap;
  /** The rules. */
  rules: Rules;
  /** Name of the preset, or `custom`. */
  rules_name: string;
  /** Who played. */
  seats: {
    /** The name shown. */
    name: string;
    /** The bot's spec, or `human`. */
    spec: string;
  }[];
  /** The seed, in decimal digits. */
  seed: string;
  /** How many seats there are. */
  n_players: number;
  /** How it ended. */
  result: Result;
  /** Everything that happened. */
  frames: GameEvent[];
  /** Territories, armies and income over time. */
  charts: {
    /** Index of the frame at which each round begins. */
    rounds: number[];
    /** Territories. */
    territories: number[][];
    /** Armies. */
    armies: number[][];
    /** Income, cards aside. */
    income: number[][];
  };
};

/** How a game ended. */
export type Result = {
  /** The ending as one word. */
  ending: string;
  /** Share of the win by seat. */
  scores: number[];
  /** Placement by seat, from 1. */
  places: number[];
};

/** The rules, as `hegemon rules show` prints them. */
export type Rules = {
  /** Fewest and most seats. */
  players: [number, number];
  /** How territories get their first owner. */
  start: "deal" | "draft";
  /** Who moves first. */
  "first-player": "seat" | "random";
  /** Armies of each player at the start, one on each territory included. */
  "initial-armies": {
    "by-players": [number, number, number, number, number];
  } | "lux";
  /** How the armies beyond one a territory are placed. */
  placement: {
    "round-robin": {
      /** Armies per turn. */
      batch: number;
      /** Whether a remainder of `batch + 1` is placed at once. */
      "merge-last": boolean;
    };
  } | "all-at-once" | "even" | "scatter";
  /** Whether a game of two has a neutral third army. */
  neutral: boolean;
  /** What may be moved at the end of a turn. */
  fortify: "none" | "one-adjacent" | "one-connected" | "many-adjacent";
  /** How a game is won before the turn limit. */
  victory: "conquest" | "missions" | {
    capitals: {
      /** How many. */
      hold: number;
      /** Whether a capital is defended with one more die. */
      "extra-die": boolean;
    };
  };
  /** Most armies that a player may have in all; income beyond it is lost. It models the limited pieces in the box, and keeps all counts and exact battles computable. */
  supply: number;
  /** Income at the start of a turn. */
  income: {
    /** One army per `divisor` territories. */
    divisor: number;
    /** Fewest armies for territories. */
    minimum: number;
    /** Growth of continent bonuses in percent a round. */
    growth: number;
  };
  /** Cards and sets. */
  cards: {
    /** Value of a set. */
    scheme: "off" | {
      fixed: [number, number, number, number];
    } | {
      progressive: {
        /** Values of the first sets. */
        values: number[];
        /** Added for each set after the list. */
        step: number;
      };
    } | {
      step: {
        /** Value of the first set. */
        first: number;
        /** Added for each set. */
        step: number;
      };
    };
    /** How many wild cards are in the deck. */
    wild: number;
    /** Armies placed on a traded card's territory if the trading player owns it. */
    "territory-bonus": number;
    /** Whether that bonus is given for only one card of a set (the player's choice) or for each. */
    "bonus-once": boolean;
    /** With this many cards at the start of a turn, a player must trade. */
    "forced-from": number;
    /** Whether the conqueror gets the hand of an eliminated player. */
    capture: boolean;
    /** With this many cards after a capture, the conqueror must trade at once, until fewer are left than force a trade at the start of a turn. */
    "capture-forced-from": number;
    /** Whether traded cards go back into the deck at once (Lux) or when the deck is empty (boxed game). */
    "return-at-once": boolean;
  };
  /** How battles are fought. */
  battle: {
    /** What one attack is. */
    attack: "roll" | "to-the-end" | "groups" | "balanced-blitz";
    /** Whether the attacker chooses its strength (dice of an exchange, armies of a battle) or always uses the maximum. */
    commitment: "choice" | "maximum";
    /** The dice. */
    dice: Dice;
    /** Fewest armies that move into a conquered territory. */
    occupy: "dice-rolled" | "one";
  };
  /** How a game ends without a winner by the victory rule. */
  end: {
    /** How the winner is found then; players still tied share the win. */
    "tie-breaks": ("territories" | "armies")[];
    /** Stop as soon as one player leads clearly. */
    "early-stop"?: {
      /** Lead in territories over every other player. */
      lead: number;
      /** Not before this many actions: recruitments, attacks, fortifications. */
      "after-actions": number;
    };
    /** Rounds after which a game without a turn limit stops, and all remaining players share the win: some players would never finish. 1000 where absent. */
    "round-cap"?: number;
    /** Turns of each player after which the game is scored. */
    "turn-limit"?: number;
  };
};

/** A preset of rules. */
export type RulesPreset = {
  /** Its name. */
  name: string;
  /** What it is, in a line. */
  about: string;
  /** The rules. */
  rules: Rules;
};

/** Number of a player, from 0. */
export type Seat = number;

/** A seat as everybody may see it. */
export type SeatInfo = {
  /** Who plays. */
  kind: SeatKind;
  /** The name shown. */
  name: string;
  /** The bot's spec. */
  spec: string | null;
  /** Name of the host's bot that plays. */
  host_bot: string | null;
  /** Whether a person is invited who has not been here yet. The time of a turn runs when all have come, or after some minutes. */
  awaited: boolean;
  /** The colour by number; that of the seat's number if null. */
  color: number | null;
  /** Who makes a person's moves. */
  hands: Hands;
  /** Whether the person is here and has left a move unmade for long. Lists of games do not say. */
  idle: boolean;
  /** Whether the last territory is lost. Lists of games do not say. */
  eliminated: boolean;
  /** Seats of those who want a bot to play here while the person is away or idle. */
  votes: number[];
  /** How many of them let a bot play. Lists of games do not say. */
  votes_needed: number;
  /** Whether somebody is there; bots always are. Lists of games do not say. */
  connected?: boolean;
};

/** Who plays a seat. */
export type SeatKind = "human" | "remote" | "bot";

/** A request for a seat. */
export type SeatRequest = {
  /** Who plays. */
  kind: SeatKind;
  /** Name of a bot that the host offers, instead of a level. */
  host_bot?: string;
  /** Level of a bot. */
  level?: string;
  /** The name shown. */
  name?: string;
  /** Spec of a bot, instead of a level. */
  spec?: string;
};

/** The analysis of a record that was sent. */
export type SentRecord = {
  /** Name under which `/api/games/{id}/analysis` answers for it. */
  id: string;
};

/** How good a decision was. */
export type Skill = {
  /** Win chance that it gave away; below zero by chance. */
  loss: number;
  /** Standard error of the loss. */
  error: number;
  /** Win chance of the decision. */
  chance: number;
  /** The mark, if it was bad. */
  mark: "inaccuracy" | "error" | "blunder" | null;
  /** What was done, in words. */
  done: string;
  /** The moves of the best plan found. */
  best: string[];
  /** The same in words. */
  best_words: string;
  /** Whether a bot decided for the player, at least in part; then it counts for nobody. */
  by_stand_in: boolean;
};

/** Where the game stands. */
export type State = {
  type: "state";
  /** Number of the last event. */
  seq: number;
  /** Whether the game goes on. */
  status: Status;
  /** Who must move. */
  mover: Seat | null;
  /** Whether that is a bot. */
  thinking: boolean;
  /** What the seat may know, as in the bot protocol; a watcher's has no cards and no mission. At the end its phase is `over`. */
  view: View;
  /** Armies that each seat would get now, cards aside. */
  income: number[];
  /** Armies for the next set of cards. */
  next_set: number | null;
  /** The question, if the seat must move. */
  choose: Choose | null;
  /** The result, if the game is over. */
  result: Result | null;
};

/** Whether a game goes on. */
export type Status = "running" | "over" | "damaged";

/** Number of a territory in the map's list of territories. */
export type Territory = number;

/** What holds until a player's next turn. */
export type Threat = {
  /** Whose territories they are. */
  seat: Seat;
  /** Rollouts that were played. */
  n_rollouts: number;
  /** By own territory. */
  held: HeldTerritory[];
};

/** A question for a threat map. */
export type ThreatRequest = {
  /** Where. */
  position: PositionRequest;
  /** Whose territories. */
  seat: Seat;
};

/** A message from the server on a socket. */
export type ToClient =
  | Hello
  | {
    type: "events";
    /** The events. */
    events: GameEvent[];
  }
  | State
  | {
    type: "seats";
    /** The seats. */
    seats: SeatInfo[];
  }
  | {
    type: "error";
    /** One word for programs. */
    code: string;
    /** One sentence for people. */
    message: string;
    /** The question that it was about. */
    id: number | null;
  }
  | {
    type: "clock";
    /** Whose; null if it stands still. */
    seat: Seat | null;
    /** Milliseconds that are left. Of a clock that waits for people who are invited: until it no longer does; else 0. */
    left_ms: number;
  }
  | {
    type: "rematch";
    /** Name of the game; null if it was removed. */
    game: string | null;
  }
  | {
    type: "said";
    /** Who. */
    seat: Seat;
    /** What. */
    phrase: Phrase;
  }
  | {
    type: "pong";
  };

/** All that a seat may know at a decision. Lists are by territory or by seat. */
export type View = {
  /** The phase as one word. */
  phase: "claim" | "setup" | "capital" | "trade" | "reinforce" | "attack" | "occupy" | "fortify" | "over";
  /** Who must move. */
  player: Seat;
  /** Who moved first. */
  first_player: Seat;
  /** The round from 1; 0 during the setup. */
  round: number;
  /** Recruitments, attacks and fortifications so far. */
  n_actions: number;
  /** Owners by territory: a seat, -1 for nobody, -2 for the neutral army. */
  owners: number[];
  /** Armies by territory. */
  armies: number[];
  /** Armies that must still be placed now. */
  to_place: number;
  /** Neutral armies that must still be placed now. */
  neutral_to_place: number;
  /** Neutral armies for later in the setup. */
  neutral_reserve: number;
  /** Initial armies by seat for later in the setup. */
  reserves: number[];
  /** The conquest to be completed, in the occupy phase. */
  front: {
    /** Where the armies come from. */
    from: Territory;
    /** What was conquered. */
    to: Territory;
    /** Fewest armies that must move in. */
    fewest: number;
  } | null;
  /** Where the last move of the turn put, kept or lost armies. */
  last: Territory | null;
  /** In the fortify phase, by territory: armies that have not moved yet. */
  moveable: number[] | null;
  /** Whether the player conquered a territory in this turn. */
  has_conquered: boolean;
  /** Whether trading or placing interrupts the attack phase, after the capture of a hand. */
  is_mid_turn: boolean;
  /** The seat's own cards. */
  cards: Card[];
  /** Number of cards by seat. */
  n_cards: number[];
  /** Traded cards that are not yet in the deck again. */
  discard: Card[];
  /** Sets traded so far by anybody. */
  n_traded: number;
  /** Armies for the next set that anybody trades; where it depends on the set, for one card of each symbol. 0 without cards. */
  next_set_worth: number;
  /** By continent: armies that it pays in this round, grown as the rules say. */
  bonuses: number[];
  /** By seat: armies of a turn that began now, without cards; 0 for who is out. */
  incomes: number[];
  /** Number of the seat's secret mission in the list of missions. */
  mission: number | null;
  /** Capitals by seat. */
  capitals: (Territory | null)[];
  /** Eliminations by seat. */
  eliminations: {
    /** 0 for the first. */
    order: number;
    /** Who did it. */
    by: Seat;
  } | null[];
};
