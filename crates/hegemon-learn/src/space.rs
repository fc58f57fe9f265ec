//! Parameter spaces: values in their own units, and the cube `[-1, 1]^n` that
//! tuners use.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How a range maps to `[-1, 1]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterScale {
    /// In proportion.
    Linear,
    /// Whole numbers, each at the centre of its cell.
    Integer,
    /// In proportion to the logarithm; for positive scale parameters.
    Gamma,
    /// Whole numbers, cells in proportion to the logarithm.
    IntegerGamma,
}

/// A parameter with its range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedParameter {
    pub name: String,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    /// How the range maps to `[-1, 1]`.
    pub scale: ParameterScale,
}

impl TunedParameter {
    /// A real number in a range.
    pub fn linear(name: &str, low: f64, high: f64) -> TunedParameter {
        TunedParameter::new(name, low, high, ParameterScale::Linear)
    }

    /// A parameter.
    pub fn new(name: &str, low: f64, high: f64, scale: ParameterScale) -> TunedParameter {
        TunedParameter {
            name: name.to_owned(),
            low,
            high,
            scale,
        }
    }

    fn fault(&self) -> Option<SpaceError> {
        let name = || self.name.clone();
        let is_whole = |x: f64| x.fract() == 0.0;
        if !(self.low.is_finite() && self.high.is_finite() && self.low < self.high) {
            return Some(SpaceError::Empty(name()));
        }
        match self.scale {
            ParameterScale::Gamma | ParameterScale::IntegerGamma if self.low <= 0.0 => {
                Some(SpaceError::NotPositive(name()))
            }
            ParameterScale::Integer | ParameterScale::IntegerGamma
                if !is_whole(self.low) || !is_whole(self.high) =>
            {
                Some(SpaceError::NotWhole(name()))
            }
            _ => None,
        }
    }

    /// Ends of the interval that maps onto `[-1, 1]`, before the logarithm.
    fn ends(&self) -> (f64, f64) {
        match self.scale {
            ParameterScale::Linear | ParameterScale::Gamma => (self.low, self.high),
            ParameterScale::Integer | ParameterScale::IntegerGamma => {
                (self.low - 0.5, self.high + 0.5)
            }
        }
    }

    /// The value at a coordinate of the cube.
    pub fn value(&self, x: f64) -> f64 {
        let t = (x + 1.0) / 2.0;
        let (low, high) = self.ends();
        let value = match self.scale {
            ParameterScale::Linear | ParameterScale::Integer => low + (high - low) * t,
            ParameterScale::Gamma | ParameterScale::IntegerGamma => {
                let (low, high) = (libm::log(low), libm::log(high));
                libm::exp(low + (high - low) * t)
            }
        };
        let value = match self.scale {
            ParameterScale::Linear | ParameterScale::Gamma => value,
            ParameterScale::Integer | ParameterScale::IntegerGamma => (value + 0.5).floor(),
        };
        value.clamp(self.low, self.high)
    }

    /// The coordinate of a value in the cube.
    pub fn coordinate(&self, value: f64) -> f64 {
        let share = |low: f64, high: f64, v: f64| (v - low) / (high - low);
        let t = match self.scale {
            ParameterScale::Linear => share(self.low, self.high, value),
            ParameterScale::Integer => share(self.low - 0.5, self.high + 0.5, value),
            ParameterScale::Gamma => {
                share(libm::log(self.low), libm::log(self.high), libm::log(value))
            }
            // The centre of the cell in the scale that is uniform.
            ParameterScale::IntegerGamma => {
                let log = |v: f64| libm::log(v);
                let (low, high) = self.ends();
                let centre = (log(value - 0.5) + log(value + 0.5)) / 2.0;
                share(log(low), log(high), centre)
            }
        };
        (2.0 * t - 1.0).clamp(-1.0, 1.0)
    }
}

/// A parameter that cannot be tuned.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum SpaceError {
    #[error("there is nothing to tune")]
    Nothing,
    #[error("the range of {0} is empty")]
    Empty(String),
    #[error("{0} is tuned by its logarithm, so its range must be positive")]
    NotPositive(String),
    #[error("{0} is a whole number, so the ends of its range must be")]
    NotWhole(String),
}

/// The parameters that are tuned together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Space {
    parameters: Vec<TunedParameter>,
}

impl Space {
    /// A space of these parameters.
    ///
    /// # Errors
    ///
    /// If there is none, or a range is empty or does not fit its scale.
    pub fn new(parameters: Vec<TunedParameter>) -> Result<Space, SpaceError> {
        if parameters.is_empty() {
            return Err(SpaceError::Nothing);
        }
        match parameters.iter().find_map(TunedParameter::fault) {
            Some(fault) => Err(fault),
            None => Ok(Space { parameters }),
        }
    }

    /// Number of parameters.
    pub fn n_dims(&self) -> usize {
        self.parameters.len()
    }

    pub fn parameters(&self) -> &[TunedParameter] {
        &self.parameters
    }

    /// The values at a point of the cube.
    pub fn values(&self, x: &[f64]) -> Vec<f64> {
        let pairs = self.parameters.iter().zip(x);
        pairs.map(|(parameter, &x)| parameter.value(x)).collect()
    }

    /// The point of the cube with these values.
    pub fn coordinates(&self, values: &[f64]) -> Vec<f64> {
        let pairs = self.parameters.iter().zip(values);
        pairs
            .map(|(parameter, &v)| parameter.coordinate(v))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_and_gamma_hit_ends_and_middle() {
        let linear = TunedParameter::linear("w", -5.0, 15.0);
        assert_eq!([-1.0, 0.0, 1.0].map(|x| linear.value(x)), [-5.0, 5.0, 15.0]);
        let gamma = TunedParameter::new("c", 0.1, 10.0, ParameterScale::Gamma);
        assert!((gamma.value(0.0) - 1.0).abs() < 1e-12);
        assert!((gamma.coordinate(1.0)).abs() < 1e-12);
    }

    #[test]
    fn whole_numbers_sit_at_the_centre_of_equal_cells() {
        let k = TunedParameter::new("k", 1.0, 4.0, ParameterScale::Integer);
        let centres = [-0.75, -0.25, 0.25, 0.75];
        for (n, centre) in centres.into_iter().enumerate() {
            let value = n as f64 + 1.0;
            assert_eq!(k.coordinate(value), centre);
            for x in [centre - 0.249, centre, centre + 0.249] {
                assert_eq!(k.value(x), value);
            }
        }
        assert_eq!((k.value(-1.0), k.value(1.0)), (1.0, 4.0));
    }

    #[test]
    fn every_scale_maps_back() {
        for scale in [
            ParameterScale::Linear,
            ParameterScale::Integer,
            ParameterScale::Gamma,
            ParameterScale::IntegerGamma,
        ] {
            let parameter = TunedParameter::new("p", 1.0, 40.0, scale);
            for v in 1..=40 {
                let v = f64::from(v);
                let back = parameter.value(parameter.coordinate(v));
                assert!((back - v).abs() < 1e-9, "{scale:?}: {v} became {back}");
            }
        }
    }

    #[test]
    fn unusable_ranges_are_refused() {
        let refuse = |p: TunedParameter| Space::new(vec![p]).expect_err("unusable");
        assert!(matches!(
            refuse(TunedParameter::linear("a", 1.0, 1.0)),
            SpaceError::Empty(_)
        ));
        assert!(matches!(
            refuse(TunedParameter::new("a", 0.0, 1.0, ParameterScale::Gamma)),
            SpaceError::NotPositive(_)
        ));
        assert!(matches!(
            refuse(TunedParameter::new("a", 0.5, 2.0, ParameterScale::Integer)),
            SpaceError::NotWhole(_)
        ));
        assert_eq!(Space::new(Vec::new()), Err(SpaceError::Nothing));
    }
}
