//! Programs that the compiler takes, each of them close to a mistake of `tests/ui`.
#![allow(unused, nonstandard_style, clippy::all, reason = "what stands beside a mistake need not be good style")]

mod ancillas_released_by_hand;
mod another_element_of_the_same_array;
mod another_field;
mod compute_and_inverse;
mod conditions_that_find_back;
mod derivatives;
mod functions;
mod host_statements;
mod in_place_bijections;
mod lets_that_end_in_time;
mod names;
mod new_version_of_an_ancilla;
mod read_only_arguments;
mod running_sums;
mod several_elements_in_one_call;
mod shape_of_what_is_changed;
mod views;
mod whole_containers;
