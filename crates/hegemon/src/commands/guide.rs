//! `hegemon` without arguments: where to begin.

use crate::output;

const GUIDE: &str = "\
hegemon: an open laboratory for computer Risk

  Play against bots in the browser:
      hegemon play

  Exact odds of a battle, of a chain, and how many armies it takes:
      hegemon odds 5 4
      hegemon odds 20 --chain 3,2,5,1
      hegemon odds --need 80% --against 10

  Which bot is better:
      hegemon match baseline simulation --rules sampling
      hegemon sprt baseline simulation --rules sampling

  What was luck and what was skill, and what to do next:
      hegemon analyze RECORD
      hegemon hint POSITION

  What the papers found, and what we find:
      hegemon lab list
      hegemon lab run all --scale smoke

  What there is to play with:
      hegemon maps list
      hegemon rules list
      hegemon bots

  Is the engine right, and how fast is it:
      hegemon perft --map triangle3 --rules sampling --depth 5
      hegemon bench

'hegemon COMMAND --help' explains a command, '--json' is for programs.
";

/// Prints the guide.
pub(crate) fn run() -> anyhow::Result<()> {
    output::print(GUIDE)
}
