//! Links of Markdown pages: where they stand, where they lead, and the names of headings.

/// A link `[text](target)` or picture `![text](target)`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link<'a> {
    /// Counts from 1.
    pub(crate) line: usize,
    /// Byte of the `[` or `![`, counted from the start of the page.
    pub(crate) start: usize,
    /// Byte after the `)`.
    pub(crate) end: usize,
    pub(crate) text: &'a str,
    pub(crate) target: &'a str,
}

/// All links of a page outside code.
pub(crate) fn links(page: &str) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    let mut offset = 0;
    let mut is_code = false;
    for (number, line) in (1..).zip(page.split_inclusive('\n')) {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            add_links(page, line, number, offset, &mut found);
        }
        offset += line.len();
    }
    found
}

fn add_links<'a>(
    page: &'a str,
    line: &str,
    number: usize,
    offset: usize,
    found: &mut Vec<Link<'a>>,
) {
    for (middle, _) in line.match_indices("](") {
        let Some(length) = line[middle + 2..].find(')') else {
            continue;
        };
        // A text of several lines begins on an earlier one.
        let Some(open) = opening(&page[..offset + middle]) else {
            continue;
        };
        if is_in_code(&line[..middle]) && is_in_code(&line[..middle + 2 + length]) {
            continue;
        }
        let (target, end) = (offset + middle + 2, offset + middle + 2 + length);
        let is_picture = page[..open].ends_with('!');
        found.push(Link {
            line: number,
            start: open - usize::from(is_picture),
            end: end + 1,
            text: &page[open + 1..offset + middle],
            target: &page[target..end],
        });
    }
}

/// The bracket that belongs to the closing one at the end of the text.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn is_in_code(start_of_line: &str) -> bool {
    start_of_line.matches('`').count() % 2 == 1
}

/// The path that a link of a page leads to, both from the top of the repository.
pub(crate) fn resolve(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a link leads to another machine.
pub(crate) fn is_foreign(target: &str) -> bool {
    target.contains("://") || target.starts_with("mailto:")
}

/// What a page calls its headings in links, and the names that it gives itself.
pub(crate) fn anchors(page: &str) -> Vec<String> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if let Some(heading) = heading(line).filter(|_| !is_code) {
            found.push(anchor(heading));
        }
        found.extend(
            line.split("id=\"")
                .skip(1)
                .filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())),
        );
    }
    found
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let depth = line.len() - text.len();
    (1..=6)
        .contains(&depth)
        .then(|| text.strip_prefix(' '))
        .flatten()
}

fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    kept.collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_code() {
        let page = "See [a *b*](c.md#d) and ![p](p.png).\n`[x](y)`\n```\n[x](y)\n```\n[two\nlines](e.md)\n";
        let found = links(page);
        let seen: Vec<(usize, &str, &str)> =
            found.iter().map(|l| (l.line, l.text, l.target)).collect();
        assert_eq!(
            seen,
            [
                (1, "a *b*", "c.md#d"),
                (1, "p", "p.png"),
                (7, "two\nlines", "e.md")
            ]
        );
        assert_eq!(&page[found[1].start..found[1].end], "![p](p.png)");
    }

    #[test]
    fn a_picture_may_be_a_link() {
        let found = links("[![p](p.png)](q.md)\n");
        let targets: Vec<&str> = found.iter().map(|link| link.target).collect();
        assert_eq!(targets, ["p.png", "q.md"]);
        assert_eq!(found[1].start, 0);
    }

    #[test]
    fn a_target_is_relative_to_its_page() {
        assert_eq!(resolve("docs/sub/a.md", "../b.md"), "docs/b.md");
        assert_eq!(resolve("README.md", "docs/b.md"), "docs/b.md");
        assert_eq!(resolve("docs/a.md", "../c/"), "c");
    }

    #[test]
    fn headings_have_the_names_that_hosts_give_them() {
        let page =
            "# `hegemon match`\n## Luck, skill & more\n```\n# no\n```\n<a id=\"x-1\"></a>\n#no\n";
        assert_eq!(anchors(page), ["hegemon-match", "luck-skill--more", "x-1"]);
    }
}
