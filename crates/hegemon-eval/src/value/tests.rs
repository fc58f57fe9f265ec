use hegemon_core::{Game, Map, PlayerId, Rng, Rules, State};

use super::*;

fn state(map: &str, rules: &str, n_players: usize) -> State {
    let map = Map::builtin(map).expect("shipped");
    let rules = Rules::preset(rules).expect("shipped");
    Game::new(map, rules, n_players).expect("a game").deal(7)
}

fn random_file(territories: Vec<String>) -> ValueFile {
    let shape = NetShape {
        n_territories: territories.len(),
        first: 16,
        second: 8,
    };
    let mut weights = NetWeights::zero(shape);
    let mut rng = Rng::from_seed(3);
    for part in weights.parts_mut() {
        for weight in part {
            *weight = rng.unit() as f32 - 0.5;
        }
    }
    ValueFile {
        card: ValueCard::default(),
        territories,
        weights,
    }
}

fn names(map: &Map) -> Vec<String> {
    let names = map.territories().map(|t| map.territory_name(t).to_owned());
    names.collect()
}

#[test]
fn a_file_reads_back_as_it_was_rounded() {
    let file = random_file(Vec::new()).rounded();
    assert_eq!(ValueFile::from_toml(&file.to_toml()), Ok(file));
}

#[test]
fn chances_add_up_and_the_dead_have_none() {
    let map = Map::builtin("classic").expect("shipped");
    let net = ValueNet::new(&random_file(names(&map)), &map).expect("fits");
    for n_players in 2..=6 {
        let state = state("classic", "lux", n_players);
        let chances = net.chances(&state, Beholder::default());
        let sum: f64 = chances.as_slice()[..n_players].iter().sum();
        assert!((sum - 1.0).abs() < 1e-5, "{chances:?}");
        assert!(chances.as_slice()[n_players..].iter().all(|c| *c == 0.0));
    }
}

/// The obvious twin of the first layer: a vector of all inputs times a matrix.
#[test]
fn rows_give_what_a_matrix_gives() {
    let map = Map::builtin("classic").expect("shipped");
    let file = random_file(names(&map));
    let (weights, shape) = (&file.weights, file.weights.shape);
    let inputs = ValueInputs::new(&state("classic", "classic", 4), Beholder::default());
    let mut vector = vec![0.0f64; shape.n_rows()];
    for (n, number) in inputs.dense.iter().enumerate() {
        vector[n] = f64::from(*number);
    }
    for t in 0..shape.n_territories {
        if inputs.owners[t] != ValueInputs::NOBODY {
            let (owned, armies) = NetShape::territory_rows(t, usize::from(inputs.owners[t]));
            vector[owned] = 1.0;
            vector[armies] = f64::from(inputs.ln_armies[t]);
        }
    }
    let mut sums = vec![0.0; shape.first];
    weights.first_sums(&inputs, &mut sums);
    for (unit, sum) in sums.iter().enumerate() {
        let products = vector
            .iter()
            .enumerate()
            .map(|(row, x)| x * f64::from(weights.rows[row * shape.first + unit]));
        let exact = f64::from(weights.first_bias[unit]) + products.sum::<f64>();
        assert!((f64::from(*sum) - exact).abs() < 1e-3, "{sum} {exact}");
    }
}

#[test]
fn a_net_of_territories_fits_the_same_map_in_another_order() {
    let (ours, lux) = ("classic", "classic-lux");
    let file = random_file(names(&Map::builtin(ours).expect("shipped")));
    let there = Map::builtin(lux).expect("shipped");
    assert!(ValueNet::new(&file, &there).is_ok());
    let other = Map::builtin("small").or_else(|| {
        let mut names = Map::builtin_names();
        names.find_map(|name| Map::builtin(name).filter(|map| map.n_territories() != 42))
    });
    let other = other.expect("a map of another size is shipped");
    assert!(matches!(
        ValueNet::new(&file, &other),
        Err(crate::WeightsError::Map(_))
    ));
}

#[test]
fn the_cards_of_others_do_not_count() {
    let state = state("classic", "lux", 3);
    let seen_by = |seat| {
        let viewer = Some(PlayerId::new(seat));
        ValueInputs::new(
            &state,
            Beholder {
                viewer,
                champions: 0,
            },
        )
    };
    assert_ne!(seen_by(0), seen_by(1), "the viewer is marked");
}

fn flat() -> Correction {
    let mut correction = Correction::nothing();
    for factor in correction.of_output.iter_mut().flatten() {
        *factor *= 0.5;
    }
    correction
}

#[test]
fn a_correction_reads_back_and_a_file_without_one_is_as_it_was() {
    let mut file = random_file(Vec::new()).rounded();
    assert!(!file.to_toml().contains("correction"));
    file.weights.correction = Some(flat());
    file.card.corrected = vec!["by hand".to_owned()];
    assert_eq!(ValueFile::from_toml(&file.to_toml()), Ok(file));
}

#[test]
fn a_correction_changes_nothing_or_flattens() {
    let map = Map::builtin("classic").expect("shipped");
    let mut file = random_file(names(&map));
    for n_players in 2..=6 {
        let inputs = ValueInputs::new(&state("classic", "lux", n_players), Beholder::default());
        file.weights.correction = None;
        let plain = file.weights.evaluate(&inputs);
        file.weights.correction = Some(Correction::nothing());
        assert_eq!(file.weights.evaluate(&inputs), plain, "the same bits");
        file.weights.correction = Some(flat());
        // Half the logarithm: each chance becomes its root, shared out again.
        let roots = plain.map(libm::sqrtf);
        let total: f32 = roots.iter().sum();
        for (flat, root) in file.weights.evaluate(&inputs).iter().zip(roots) {
            assert!((flat - root / total).abs() < 1e-5, "{flat} {root}");
        }
    }
}

#[test]
fn the_chance_itself_counts_in_a_correction() {
    let mut file = random_file(Vec::new());
    let inputs = ValueInputs::new(&state("classic", "lux", 4), Beholder::default());
    let plain = file.weights.evaluate(&inputs);
    let mut correction = Correction::nothing();
    correction.of_chance[2][0] = -0.4; // four are alive
    file.weights.correction = Some(correction);
    let shares = plain.map(|chance| chance * libm::expf(-0.4 * chance));
    let total: f32 = shares.iter().sum();
    for (corrected, share) in file.weights.evaluate(&inputs).iter().zip(shares) {
        assert!((corrected - share / total).abs() < 1e-5, "{corrected}");
    }
}

#[test]
fn damaged_corrections_are_refused() {
    let mut file = random_file(Vec::new());
    file.weights.correction = Some(flat());
    let text = file.to_toml();
    let refused = |text: &str| ValueFile::from_toml(text).is_err();
    assert!(!refused(&text));
    assert!(refused(
        &text.replace("of-output = [[0.5, ", "of-output = [[")
    ));
    assert!(refused(
        &text.replace("of-output = [[0.5", "of-output = [[nan")
    ));
    assert!(refused(&text.replace("of-output", "of-outputs")));
}

#[test]
fn damaged_files_are_refused() {
    let text = random_file(Vec::new()).to_toml();
    let refused = |text: &str| ValueFile::from_toml(text).is_err();
    assert!(refused(&text.replace("first = 16", "first = 24")));
    assert!(refused(&text.replace("first = 16", "first = 17")));
    assert!(refused(&text.replace(VALUE_SCHEMA, "value/0")));
    assert!(refused(
        &text.replace("kind = \"value\"", "kind = \"draft\"")
    ));
}
