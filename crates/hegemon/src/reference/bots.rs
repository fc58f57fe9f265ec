//! Bots: the registry as a page.

use hegemon_bots::{BotInfo, bots};

use super::table;

pub(super) fn page() -> String {
    let rows = bots().map(|bot| {
        let link = format!("[`{0}`](#{0})", bot.name);
        [link, bot.about.to_owned(), bot.source.to_owned()]
    });
    let mut text = format!(
        "A bot is named by a spec: its name, or `name(parameter=value,...)`. `hegemon bots NAME` prints the same.\n\n{}",
        table(&["bot", "what it does", "source"], rows)
    );
    for bot in bots() {
        text.push_str(&section(bot));
    }
    text
}

fn section(bot: &BotInfo) -> String {
    let head = format!(
        "\n## {0}\n\n`{0}`: {1} ({2}).\n",
        bot.name, bot.about, bot.source
    );
    if bot.parameters.is_empty() {
        return head + "\nIt has no parameters.\n";
    }
    let rows = bot.parameters.iter().map(|parameter| {
        let name = match parameter.name {
            "" => "(no name)".to_owned(),
            name => format!("`{name}`"),
        };
        let default = format!("`{}`", parameter.default);
        [name, default, parameter.range(), parameter.about.to_owned()]
    });
    let columns = ["parameter", "default", "range", "what it does"];
    format!("{head}\n{}", table(&columns, rows))
}
