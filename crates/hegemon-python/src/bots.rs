//! Bots: those of the registry, and those written in Python.

use std::sync::Arc;

use hegemon_arena::{Entrant, seat_seed};
use hegemon_bots::rules::RulePolicy;
use hegemon_bots::{
    Bot, Forfeit, ForfeitKind, Grants, Seating, Spec, SpecError, Stop, bot_info, bots, build,
    settings,
};
use hegemon_core::{Move, View};
use hegemon_protocol::HostLoader;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{invalid, sentence};
use crate::moves::{MoveArg, PyMove};
use crate::state::PyState;
use crate::view::PyView;
use crate::watch::Watch;

/// Bots in Python have the rights of the program that they are part of.
pub(crate) fn grants() -> Grants {
    Grants::with(HostLoader::default())
}

/// The same, for bots that answer at once, with any move, when the handle is raised.
pub(crate) fn grants_until(stop: &Stop) -> Grants {
    Grants {
        stop: stop.clone(),
        ..grants()
    }
}

/// A bot of the registry, by its spec.
///
/// >>> state = Game("classic", "lux", players=2).deal(1)
/// >>> state.is_legal(Bot("quo").choose(state))
/// True
#[pyclass(name = "Bot", module = "hegemon", frozen)]
pub(crate) struct PyBot {
    spec: Spec,
}

#[pymethods]
impl PyBot {
    #[new]
    fn new(spec: &str) -> PyResult<PyBot> {
        let spec: Spec = spec.parse().map_err(sentence)?;
        settings(&spec).map_err(sentence)?;
        Ok(PyBot { spec })
    }

    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// What it does, in a line.
    #[getter]
    fn about(&self) -> PyResult<&'static str> {
        Ok(bot_info(&self.spec.name).map_err(sentence)?.about)
    }

    /// Its move at a state or a view; it sees no more than its seat may. Same seed, same move.
    #[pyo3(signature = (at, *, seed=0))]
    fn choose(&self, py: Python<'_>, at: &Bound<'_, PyAny>, seed: u64) -> PyResult<PyMove> {
        let view = match at.extract::<PyRef<'_, PyState>>() {
            Ok(state) => {
                let state = state.state().clone();
                let seat = state.player();
                PyView::of(state, seat)
            }
            Err(_) => {
                let view = at.cast::<PyView>()?.get();
                PyView::of(view.state().clone(), view.get().seat())
            }
        };
        let (mut watch, stop) = (Watch::new(None), Stop::new());
        let chosen = py.detach(|| match RulePolicy::of(&self.spec) {
            Some(_) => choose(&self.spec, view.get(), seed, &stop),
            // Ctrl-C ends a search.
            None => watch.over(&stop, |_| choose(&self.spec, view.get(), seed, &stop)),
        });
        watch.end(chosen).map(PyMove)
    }

    fn __repr__(&self) -> String {
        format!("Bot({:?})", self.spec.to_string())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyBot>();
        other.is_ok_and(|other| other.get().spec == self.spec)
    }

    fn __hash__(&self) -> u64 {
        hegemon_core::fnv1a(self.spec.to_string().as_bytes())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, pyo3::types::PyType>, (String,)) {
        (py.get_type::<PyBot>(), (self.spec(),))
    }
}

fn choose(spec: &Spec, view: View<'_>, seed: u64, stop: &Stop) -> Result<Move, String> {
    if view.legal_moves().is_empty() {
        return Err("it is not this seat's decision".to_owned());
    }
    let grants = grants_until(stop);
    let seating = Seating {
        game: view.game(),
        seat: view.seat(),
        seed: seat_seed(seed, view.seat()),
        grants: &grants,
    };
    let mut bot = build(spec, &seating).map_err(|error| error.to_string())?;
    bot.choose(view).map_err(|error| error.to_string())
}

/// The kinds of bots: name, what it does, where it comes from.
///
/// >>> "random" in [bot["name"] for bot in registry()]
/// True
#[pyfunction]
pub(crate) fn registry(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    bots()
        .map(|info| {
            let entry = PyDict::new(py);
            entry.set_item("name", info.name)?;
            entry.set_item("about", info.about)?;
            entry.set_item("source", info.source)?;
            Ok(entry)
        })
        .collect()
}

/// The spec of a bot: a string, a `Bot`, or anything with a `spec`.
pub(crate) fn spec_of(bot: &Bound<'_, PyAny>) -> PyResult<Spec> {
    let text: String = match bot.extract() {
        Ok(text) => text,
        Err(_) => bot
            .getattr("spec")
            .and_then(|spec| spec.extract())
            .map_err(|_| invalid("a bot is a spec such as \"quo\" or a hegemon.Bot"))?,
    };
    text.parse().map_err(sentence)
}

/// Someone who takes a seat in a match.
#[derive(Clone)]
pub(crate) enum Player {
    Listed(Spec),
    /// Written in Python: `maker()` gives the function of one game, from view to move.
    Written {
        name: Spec,
        maker: Arc<Py<PyAny>>,
    },
}

impl Player {
    /// The player of a spec, a `Bot`, or a bot made by `@hegemon.bot`.
    pub(crate) fn of(bot: &Bound<'_, PyAny>) -> PyResult<Player> {
        let Ok(maker) = bot.getattr("_new_game") else {
            return spec_of(bot).map(Player::Listed);
        };
        let name: String = bot.getattr("name")?.extract()?;
        Ok(Player::Written {
            name: written_name(&name)?,
            maker: Arc::new(maker.unbind()),
        })
    }

    pub(crate) fn host(&self) -> hegemon_protocol::Host {
        match self.clone() {
            Player::Listed(spec) => hegemon_protocol::Host::of(spec),
            written => hegemon_protocol::Host {
                name: written.spec().name.clone(),
                version: None,
                observes: false,
                seat: Box::new(move |seating| written.seat(seating)),
            },
        }
    }
}

/// The name of a bot written in Python. It stands in tables and records beside specs, so it
/// has their form, and must not be taken for one of the registry.
fn written_name(name: &str) -> PyResult<Spec> {
    let spec: Spec = name.parse().map_err(|_| {
        invalid(format!(
            "\"{name}\" is not a name for a bot: it has letters, digits and hyphens"
        ))
    })?;
    if !spec.arguments.is_empty() || bot_info(&spec.name).is_ok() {
        return Err(invalid(format!(
            "\"{name}\" cannot be the name of a bot in Python: there is a bot of that name"
        )));
    }
    Ok(spec)
}

impl Entrant for Player {
    fn spec(&self) -> &Spec {
        match self {
            Player::Listed(spec) => spec,
            Player::Written { name, .. } => name,
        }
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        match self {
            Player::Listed(spec) => build(spec, seating),
            Player::Written { name, maker } => {
                let function = Python::attach(|py| maker.call0(py));
                let function = function.map_err(|error| SpecError::Unsuitable {
                    bot: name.to_string(),
                    reason: error.to_string(),
                })?;
                let stop = seating.grants.stop.clone();
                Ok(Box::new(WrittenBot { function, stop }))
            }
        }
    }

    fn rule_policy(&self) -> Option<RulePolicy> {
        match self {
            Player::Listed(spec) => RulePolicy::of(spec),
            Player::Written { .. } => None,
        }
    }
}

/// A bot written in Python, in one game.
struct WrittenBot {
    function: Py<PyAny>,
    stop: Stop,
}

impl Bot for WrittenBot {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        let forfeit = |kind, message: String| Forfeit { kind, message };
        if self.stop.is_raised() {
            return Err(forfeit(ForfeitKind::Crash, "it was stopped".to_owned()));
        }
        Python::attach(|py| {
            // The bot gets a state that it cannot tell from the true one, so that not even
            // a look inside the view shows hidden cards.
            let mut rng = hegemon_core::Rng::stream(u64::from(view.round()), "hidden");
            let seen = PyView::of(view.sample_state(&mut rng), view.seat());
            let answer = self
                .function
                .call1(py, (seen,))
                .map_err(|error| forfeit(ForfeitKind::Crash, error.to_string()))?;
            let mv = answer.extract::<MoveArg<'_>>(py);
            mv.and_then(|mv| mv.get())
                .map_err(|error| forfeit(ForfeitKind::Garbage, error.to_string()))
        })
    }
}
