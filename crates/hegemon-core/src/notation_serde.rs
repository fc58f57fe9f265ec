//! Serde for values, each as its notation: `"a3>4x3"`, `"B1:1"`, `"attack"`,
//! `"board=a3b2a1 phase=attack …"`.

/// Implements serde through `Display` and `FromStr`, or through two functions.
#[doc(hidden)]
#[macro_export]
macro_rules! by_notation {
    ($($name:ty),+ $(,)?) => {$(
        $crate::by_notation!($name: ::std::string::ToString::to_string, str::parse);
    )+};
    ($name:ty: $text:expr, $read:expr) => {
        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let text = $text;
                serializer.collect_str(&text(self))
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                let text = <::std::string::String as ::serde::Deserialize>::deserialize(deserializer)?;
                let read: fn(&str) -> Result<$name, _> = $read;
                read(&text).map_err(::serde::de::Error::custom)
            }
        }
    };
}

#[cfg(feature = "serde")]
mod values {
    use crate::moves::{Move, Outcome};
    use crate::setup::Setup;
    use crate::state::{Ending, Phase};

    crate::by_notation!(Move, Outcome, Setup);
    crate::by_notation!(Phase: |phase: &Phase| phase.name(), |text| {
        named(Phase::from_name(text), "phase", text)
    });
    crate::by_notation!(Ending: |ending: &Ending| ending.name(), |text| {
        named(Ending::from_name(text), "ending", text)
    });

    fn named<T>(found: Option<T>, what: &str, text: &str) -> Result<T, String> {
        found.ok_or_else(|| format!("\"{text}\" is no {what}"))
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use crate::{Move, Outcome, Phase, Setup};

    #[test]
    fn values_of_play_are_their_notation() {
        let mv: Move = "a3>4x3".parse().expect("a move");
        let text = serde_json::to_string(&(mv, Phase::Attack)).expect("plain");
        assert_eq!(text, r#"["a3>4x3","attack"]"#);
        let again: (Move, Phase) = serde_json::from_str(&text).expect("as written");
        assert_eq!(again, (mv, Phase::Attack));
        assert!(serde_json::from_str::<Outcome>("\"a3>4x3\"").is_err());
        let setup: Setup = "board=a1b1 phase=attack player=1"
            .parse()
            .expect("readable");
        let text = serde_json::to_string(&setup).expect("plain");
        assert_eq!(
            serde_json::from_str::<Setup>(&text).expect("as written"),
            setup
        );
    }
}
