//! Bots that are programs end with us, whatever they and we do, and stay within
//! their limits. This program is the tests, the supervisor that they test, and
//! with `--host COMMAND` the program whose end no bot may outlive.

#[cfg(target_os = "linux")]
#[path = "protocol/harness.rs"]
mod harness;
#[cfg(target_os = "linux")]
#[path = "protocol/table.rs"]
mod table;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    if let Some(code) = hegemon_protocol::external::Supervisor::run_if_asked() {
        return code;
    }
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(place) = arguments.iter().position(|word| word == "--host") {
        linux::host(&arguments[place + 1]);
    } else {
        harness::run(&linux::TESTS);
        hegemon_protocol::external::stop_idle();
    }
    std::process::ExitCode::SUCCESS
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::PathBuf;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use hegemon_bots::{Bot, ForfeitKind, Grants, Seating, Spec, SpecError, build};
    use hegemon_core::rules::Victory;
    use hegemon_core::{PlayerId, View};
    use hegemon_protocol::external::{BotLimits, Launch, Supervisor};
    use hegemon_protocol::{ErrorLog, HostLoader};

    use crate::harness::Test;
    use crate::table;

    pub(crate) const TESTS: [Test; 18] = [
        ("sigkill_leaves_no_bot_behind", || no_bot_outlives("KILL")),
        ("sigterm_leaves_no_bot_behind", || no_bot_outlives("TERM")),
        ("sigint_leaves_no_bot_behind", || no_bot_outlives("INT")),
        (
            "a_bot_that_starts_its_own_session_is_found_and_ended",
            sessions_are_found,
        ),
        ("a_bot_that_kills_its_supervisor_is_ended", || {
            supervisors_are_replaced("KILL", ForfeitKind::Crash);
        }),
        ("a_bot_that_stops_its_supervisor_is_ended", || {
            supervisors_are_replaced("STOP", ForfeitKind::Timeout);
        }),
        (
            "sigkill_leaves_no_bot_behind_whose_supervisor_is_stopped",
            stopped_supervisors_go_on,
        ),
        (
            "sigkill_leaves_no_bot_behind_that_floods_its_error_output",
            floods_do_not_hold_the_supervisor,
        ),
        (
            "the_orphans_of_one_bot_are_not_those_of_another",
            orphans_are_told_apart,
        ),
        (
            "what_a_bot_left_running_ends_with_it",
            leftovers_end_with_the_bot,
        ),
        (
            "sixty_four_megabytes_of_error_output_a_move_do_not_stall",
            error_output_does_not_stall,
        ),
        ("an_endless_error_output_ends_with_the_bot", endless_errors),
        (
            "what_a_supervised_bot_writes_is_logged_while_it_plays",
            error_output_is_logged,
        ),
        (
            "what_a_bot_wrote_that_did_not_start_is_logged",
            last_words_are_logged,
        ),
        ("the_memory_limit_ends_what_takes_more", memory_limit_holds),
        ("the_processor_limit_ends_what_spins", processor_limit_holds),
        (
            "the_end_of_a_supervised_bot_is_told_as_it_was",
            ends_are_told,
        ),
        (
            "the_end_of_a_bot_between_two_moves_is_told_as_it_was",
            ends_between_moves_are_told,
        ),
    ];

    /// Says hello and then does something else.
    fn after_hello(script: &str) -> String {
        let hello = r#"{"type":"hello","protocol":1,"name":"sh"}"#;
        format!("read -r line; echo '{hello}'; {script}")
    }

    /// Plays the first legal move, after `before` each time.
    fn first_move(before: &str) -> String {
        after_hello(&format!(
            "while read -r line; do case \"$line\" in *'\"choose\"'*) {before} \
             mv=${{line#*'\"moves\":[\"'}}; mv=${{mv%%'\"'*}}; \
             echo \"{{\\\"type\\\":\\\"move\\\",\\\"move\\\":\\\"$mv\\\"}}\";; esac; done"
        ))
    }

    fn grants(limits: BotLimits) -> Grants {
        let supervisor = Supervisor::this_program();
        assert!(supervisor.is_some());
        let launch = Launch {
            supervisor,
            limits,
            ..Launch::default()
        };
        Grants::with(HostLoader { launch })
    }

    fn seated(command: &str, limits: BotLimits) -> Box<dyn Bot> {
        let game = table::game("sampling", "duel6", 2, Victory::Conquest);
        let spec: Spec = format!("cmd({command})").parse().expect("well formed");
        let seating = Seating {
            game: &game,
            seat: PlayerId::new(0),
            seed: 1,
            grants: &grants(limits),
        };
        build(&spec, &seating).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Why a bot loses at its first decision.
    fn forfeit_of(command: &str, limits: BotLimits) -> (ForfeitKind, String) {
        let game = table::game("sampling", "duel6", 2, Victory::Conquest);
        let state = game.deal(1);
        let mut bot = seated(command, limits);
        let forfeit = bot
            .choose(View::of_mover(&state))
            .expect_err("it does not play");
        (forfeit.kind, forfeit.message)
    }

    /// Asks the bot of a command for a move. Once it has one it waits for ever and reads nothing.
    pub(crate) fn host(command: &str) {
        let game = table::game("sampling", "duel6", 2, Victory::Conquest);
        let state = game.deal(1);
        let mut bot = seated(command, BotLimits::default());
        let answer = bot.choose(View::of_mover(&state));
        answer.unwrap_or_else(|forfeit| panic!("{forfeit}"));
        loop {
            pause();
        }
    }

    /// A file that bots write their numbers to.
    struct Roll(PathBuf);

    impl Roll {
        fn new(name: &str) -> Roll {
            let name = format!("hegemon-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = fs::remove_file(&path);
            Roll(path)
        }

        /// A shell command that enters the shell that runs it.
        fn enter(&self) -> String {
            format!("echo $$ >>'{}'", self.0.display())
        }

        fn numbers(&self) -> Vec<u32> {
            let text = fs::read_to_string(&self.0).unwrap_or_default();
            text.lines().filter_map(|line| line.parse().ok()).collect()
        }

        /// Waits until `n` processes have entered.
        fn wait_for(&self, n: usize) -> Vec<u32> {
            wait_until(|| self.numbers().len() >= n, "the bot does not start");
            self.numbers()
        }
    }

    impl Drop for Roll {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn wait_until(mut holds: impl FnMut() -> bool, sentence: &str) {
        for _ in 0..3000 {
            if holds() {
                return;
            }
            pause();
        }
        panic!("{sentence}");
    }

    #[expect(clippy::disallowed_methods, reason = "other processes need a moment")]
    fn pause() {
        std::thread::sleep(Duration::from_millis(10));
    }

    /// Whether a process runs; one that is only waiting to be collected does not.
    fn runs(pid: u32) -> bool {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit_once(')').map(|(_, rest)| rest.trim_start());
        state.is_some_and(|state| !state.starts_with(['Z', 'X']))
    }

    fn wait_for_end_of(pids: &[u32]) {
        wait_until(
            || pids.iter().all(|pid| !runs(*pid)),
            &format!("some of {pids:?} still run"),
        );
    }

    /// A bot that nothing but SIGKILL ends, and that answers nothing.
    fn stubborn(roll: &Roll) -> String {
        after_hello(&staying(roll))
    }

    /// Stays until SIGKILL, with a child in its group, one in a session of its own,
    /// and one whose parent is gone.
    fn staying(roll: &Roll) -> String {
        let enter = roll.enter();
        let stay = format!("trap '' TERM INT HUP PIPE; {enter}; while :; do sleep 1000; done");
        let quoted = stay.replace('\'', r"'\''");
        format!(
            "sh -c '{quoted}' & setsid sh -c '{quoted}' & \
             (setsid sh -c '{quoted}' >/dev/null 2>&1 </dev/null &) ; {stay}"
        )
    }

    /// A bot like [`stubborn`] that sends a signal to its supervisor when all
    /// its children run.
    fn mutinous(roll: &Roll, signal: &str) -> String {
        let path = roll.0.display();
        let strike = format!(
            "(while [ \"$(wc -l <'{path}')\" -lt 4 ]; do sleep 0.01; done; \
             kill -s {signal} $PPID; echo 0 >>'{path}') & "
        );
        stubborn(roll).replacen("sh -c", &format!("touch '{path}'; {strike}sh -c"), 1)
    }

    fn supervisors_are_replaced(signal: &str, expected: ForfeitKind) {
        let roll = Roll::new(&format!("mutiny-{signal}"));
        let command = format!("move-ms=5000: {}", mutinous(&roll, signal));
        let (kind, message) = forfeit_of(&command, BotLimits::default());
        assert_eq!(kind, expected, "{message}");
        wait_for_end_of(&roll.wait_for(4));
    }

    fn stopped_supervisors_go_on() {
        let roll = Roll::new("mutiny-host");
        // The fifth entry says that the signal was sent.
        outlives("KILL", &mutinous(&roll, "STOP"), &roll, 5);
    }

    /// The supervisor cannot pass on what nobody reads, and still sees the end.
    fn floods_do_not_hold_the_supervisor() {
        let roll = Roll::new("flood");
        let flood = format!("; yes >&2 & {};; esac", staying(&roll));
        let command = first_move("").replacen(";; esac", &flood, 1);
        outlives("KILL", &command, &roll, 4);
    }

    /// Two bots kill their supervisors; only one of them is ended.
    fn orphans_are_told_apart() {
        let game = table::game("sampling", "duel6", 2, Victory::Conquest);
        let state = game.deal(1);
        let [ended, kept, go] = ["mutiny-ended", "mutiny-kept", "mutiny-go"].map(Roll::new);
        let strike = format!(
            "{enter}; (while [ ! -s '{go}' ]; do sleep 0.01; done; \
             kill -s KILL $PPID; echo 0 >>'{kept}') &",
            enter = kept.enter(),
            go = go.0.display(),
            kept = kept.0.display(),
        );
        let mut other = seated(&first_move(&strike), BotLimits::default());
        assert!(other.choose(View::of_mover(&state)).is_ok());
        fs::write(&go.0, "go").expect("a file of ours");
        let kept_pid = kept.wait_for(2)[0];
        let command = format!("move-ms=5000: {}", mutinous(&ended, "KILL"));
        let (kind, message) = forfeit_of(&command, BotLimits::default());
        assert_eq!(kind, ForfeitKind::Crash, "{message}");
        wait_for_end_of(&ended.wait_for(4));
        assert!(runs(kept_pid), "{kept_pid} was not asked anything");
        drop(other);
        hegemon_protocol::external::stop_idle();
        wait_for_end_of(&[kept_pid]);
    }

    fn no_bot_outlives(signal: &str) {
        let roll = Roll::new(&format!("outlives-{signal}"));
        outlives(signal, &stubborn(&roll), &roll, 4);
    }

    /// Runs a bot in a host of its own until its roll has `n_entries` entries, and
    /// ends the host.
    fn outlives(signal: &str, script: &str, roll: &Roll, n_entries: usize) {
        let command = format!("move-ms=600000: {script}");
        let program = std::env::current_exe().expect("this program");
        let mut host = Command::new(program)
            .args(["--host", &command])
            .stderr(Stdio::null())
            .spawn()
            .expect("this program again");
        let bots = &roll.wait_for(n_entries)[..4];
        assert!(bots.iter().all(|pid| runs(*pid)), "{bots:?}");
        send(signal, &host);
        let status = host.wait().expect("it was started");
        assert!(!status.success());
        wait_for_end_of(bots);
    }

    fn send(signal: &str, child: &Child) {
        let status = Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status();
        assert!(status.expect("a kill command").success());
    }

    fn sessions_are_found() {
        let roll = Roll::new("sessions");
        let (kind, _) = forfeit_of(
            &format!("move-ms=3000: {}", stubborn(&roll)),
            BotLimits::default(),
        );
        assert_eq!(kind, ForfeitKind::Timeout);
        // The forfeit came after all was killed.
        let bots = roll.wait_for(4);
        wait_for_end_of(&bots);
    }

    fn leftovers_end_with_the_bot() {
        let roll = Roll::new("leftovers");
        let command = after_hello(&format!(
            "setsid sh -c 'trap \"\" TERM; {}; sleep 1000; sleep 1000' & \
             while [ ! -s '{}' ]; do sleep 0.01; done; exit 3",
            roll.enter(),
            roll.0.display()
        ));
        let (kind, message) = forfeit_of(&command, BotLimits::default());
        assert_eq!(kind, ForfeitKind::Crash);
        assert!(message.contains("status 3"), "{message}");
        wait_for_end_of(&roll.wait_for(1));
    }

    fn error_output_does_not_stall() {
        let game = table::game("sampling", "duel6", 2, Victory::Conquest);
        let noise = r#"n=$((n+1)); [ $n -gt 4 ] || head -c 67108864 /dev/zero >&2;"#;
        for limits in [None, Some(BotLimits::default())] {
            let command = format!("move-ms=60000: {}", first_move(noise));
            let mut bot = match limits {
                Some(limits) => seated(&command, limits),
                // Without a supervisor too.
                None => table::seat(&format!("cmd({command})"), &game, PlayerId::new(0), 1),
            };
            let state = game.deal(1);
            for _ in 0..4 {
                let mv = bot.choose(View::of_mover(&state));
                assert!(state.is_legal(mv.expect("an answer in time")));
            }
        }
    }

    fn error_output_is_logged() {
        let game = table::game("sampling", "duel6", 2, Victory::Conquest);
        let state = game.deal(1);
        let command = first_move("echo thinking of $RANDOM >&2;");
        let log = ErrorLog::default();
        let mut bot = logged(&command, &log).unwrap_or_else(|error| panic!("{error}"));
        let is_logged = || {
            bot.choose(View::of_mover(&state)).expect("it plays");
            log.of(77).contains("thinking of")
        };
        wait_until(is_logged, "nothing is logged while the bot runs");
        assert_eq!(log.of(78), "", "of another seat");
    }

    /// Seats a bot whose error output is logged for the seed 77.
    fn logged(command: &str, log: &ErrorLog) -> Result<Box<dyn Bot>, SpecError> {
        let game = table::game("sampling", "duel6", 2, Victory::Conquest);
        let launch = Launch {
            supervisor: Supervisor::this_program(),
            log: log.clone(),
            ..Launch::default()
        };
        let spec: Spec = format!("cmd({command})").parse().expect("well formed");
        let seating = Seating {
            game: &game,
            seat: PlayerId::new(0),
            seed: 77,
            grants: &Grants::with(HostLoader { launch }),
        };
        build(&spec, &seating)
    }

    fn last_words_are_logged() {
        let log = ErrorLog::default();
        let trace = "echo Traceback: line 1 >&2; echo no module named brain >&2; exit 1";
        assert!(logged(trace, &log).is_err(), "it does not start");
        assert_eq!(log.of(77), "Traceback: line 1\nno module named brain\n");
    }

    fn endless_errors() {
        let roll = Roll::new("endless");
        let command = format!(
            "move-ms=1000: {}",
            after_hello(&format!("{}; yes >&2", roll.enter()))
        );
        let (kind, message) = forfeit_of(&command, BotLimits::default());
        assert_eq!(kind, ForfeitKind::Timeout, "{message}");
        wait_for_end_of(&roll.wait_for(1));
    }

    fn memory_limit_holds() {
        // A line without an end is kept whole by tail, however long a busy machine takes for it.
        let hungry = after_hello(
            "head -c 300000000 /dev/zero | tail -n 1 >/dev/null || exit 7; read -r line; exit 8",
        );
        let hungry = format!("move-ms=60000: {hungry}");
        let limits = |memory_mib| BotLimits {
            memory_mib,
            cpu_s: None,
        };
        let (kind, message) = forfeit_of(&hungry, limits(Some(200)));
        assert_eq!(kind, ForfeitKind::Crash, "{message}");
        assert!(message.contains("status 7"), "{message}");
        let (_, message) = forfeit_of(&hungry, limits(None));
        assert!(message.contains("status 8"), "{message}");
        plays(limits(Some(200)));
    }

    fn processor_limit_holds() {
        let limits = BotLimits {
            memory_mib: None,
            cpu_s: Some(1),
        };
        let spin = after_hello("while :; do :; done");
        let (kind, message) = forfeit_of(&format!("move-ms=60000: {spin}"), limits);
        assert_eq!(kind, ForfeitKind::Crash, "{message}");
        assert!(message.contains("processor time"), "{message}");
        plays(limits);
    }

    /// A modest bot is not disturbed by limits.
    fn plays(limits: BotLimits) {
        let game = table::game("sampling", "duel6", 2, Victory::Conquest);
        let state = game.deal(1);
        let mut bot = seated(&first_move(""), limits);
        assert!(bot.choose(View::of_mover(&state)).is_ok());
    }

    fn ends_are_told() {
        for (script, words) in [
            ("exit 3", "status 3"),
            ("kill -11 $$", "signal 11"),
            ("kill -9 $$", "signal 9"),
            ("echo one >&2; echo oh no >&2; exit 1", "status 1: oh no"),
        ] {
            let (kind, message) = forfeit_of(&after_hello(script), BotLimits::default());
            assert_eq!(kind, ForfeitKind::Crash, "{script}: {message}");
            assert!(message.contains(words), "{script}: {message}");
        }
    }

    /// A bot that is seen to have ended is not taken for one that spoke unasked.
    fn ends_between_moves_are_told() {
        let game = table::game("sampling", "duel6", 2, Victory::Conquest);
        let state = game.deal(1);
        let roll = Roll::new("between");
        let script = first_move("").replacen(";; esac", "; exit 3;; esac", 1);
        let command = script.replacen(
            "read -r line;",
            &format!("{}; read -r line;", roll.enter()),
            1,
        );
        let mut bot = table::seat(&format!("cmd({command})"), &game, PlayerId::new(0), 1);
        assert!(bot.choose(View::of_mover(&state)).is_ok());
        wait_for_end_of(&roll.wait_for(1));
        let forfeit = bot.choose(View::of_mover(&state)).expect_err("it is gone");
        assert_eq!(forfeit.kind, ForfeitKind::Crash, "{forfeit}");
        assert!(forfeit.message.contains("status 3"), "{forfeit}");
    }
}
