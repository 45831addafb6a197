//! Ground states of random spin glasses, by tropical numbers and by trying all configurations.

use lab_corpus::yardsticks::spin_glass::Glass;

/// That the gradient is a configuration which gains as much as is promised; returns that.
#[track_caller]
fn check(glass: &Glass) -> f64 {
    let (most, spins) = glass.solved();
    assert!(spins.iter().all(|spin| spin.abs() == 1.0), "{spins:?}");
    assert_eq!(glass.gained(&spins), most, "the gradient is the best configuration");
    most
}

#[test]
fn the_gradient_is_the_best_of_all_configurations() {
    for seed in 0..8 {
        let glass = Glass::new(4, seed);
        assert_eq!(check(&glass), glass.by_trying());
    }
    let glass = Glass::new(5, 8);
    assert_eq!(check(&glass), glass.by_trying());
}

#[test]
fn a_large_lattice() {
    let glass = Glass::new(10, 9);
    let most = check(&glass);
    // Every spin, and every pair of neighbours, is where it should be.
    let (_, spins) = glass.solved();
    for site in 0..100 {
        for other in [site, (site + 1) % 100, (site + 10) % 100] {
            let mut turned = spins.clone();
            turned[site] = -turned[site];
            if other != site {
                turned[other] = -turned[other];
            }
            assert!(glass.gained(&turned) <= most);
        }
    }
}
