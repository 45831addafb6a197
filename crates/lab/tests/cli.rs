//! The `retrograd` command, from outside.

use std::process::{Command, Output, Stdio};

use lab::programs::ALL;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograd"));
    command.args(arguments).env_remove("COLUMNS");
    command
}

/// Runs the command, and returns its exit code, its output and its errors.
fn run(arguments: &[&str]) -> (i32, String, String) {
    texts(command(arguments).output().unwrap())
}

fn texts(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

#[test]
fn the_tour_names_every_program_and_ends_well() {
    let (code, text, errors) = run(&[]);
    assert_eq!((code, &*errors), (0, ""));
    for program in ALL {
        assert!(text.contains(&format!("── {} ─", program.name)), "{} is missing", program.name);
        assert!(text.contains(program.about), "{} is not explained", program.name);
    }
    assert_eq!(text.matches('✓').count(), ALL.len());
    assert!(text.ends_with(&format!("\n{} programs, all came back\n", ALL.len())), "{text}");
}

#[test]
fn a_wide_tour_has_two_columns_and_a_narrow_one_has_one() {
    let with_columns = |columns: &str| texts(command(&["show", "rfib"]).env("COLUMNS", columns).output().unwrap()).1;
    let beside = "*out += 1;               │         *out -= 1;";
    for wide in ["120", "100", "300", "none", ""] {
        assert!(with_columns(wide).contains(beside), "COLUMNS={wide}");
    }
    for narrow in ["99", "40", "1", "0"] {
        let text = with_columns(narrow);
        assert!(!text.contains('│') && text.contains("    rfib::uncall(out, n - 2);\n"), "COLUMNS={narrow}");
    }
}

#[test]
fn no_line_of_a_wide_tour_is_longer_than_the_terminal() {
    for columns in [100, 120, 160] {
        let output = command(&[]).env("COLUMNS", columns.to_string()).output().unwrap();
        let (_, text, _) = texts(output);
        let longest = text.lines().filter(|line| line.contains('│')).max_by_key(|line| line.chars().count()).unwrap();
        assert!(longest.chars().count() <= columns, "{columns}: {longest}");
    }
}

#[test]
fn show_prints_one_program_with_its_inverse() {
    for program in ALL {
        let (code, text, errors) = run(&["show", program.name]);
        assert_eq!((code, &*errors), (0, ""));
        assert!(
            text.contains(&format!("fn {}", program.name)) && text.contains(&format!("fn uncall_{}", program.name))
        );
        assert_eq!(text.matches("── ").count(), 1);
    }
}

#[test]
fn show_adjoint_prints_what_the_pullback_runs() {
    for program in ALL {
        let (code, text, errors) = run(&["show", program.name, "--adjoint"]);
        assert_eq!((code, &*errors), (0, ""));
        let adjoint = text.starts_with(&format!("fn pullback_{}", program.name));
        assert!(adjoint || text.starts_with("// No argument"), "{text}");
    }
    let (_, text, _) = run(&["show", "affine", "--adjoint"]);
    assert!(text.contains("grad_x"), "{text}");
}

#[test]
fn list_prints_a_line_for_each_program() {
    let (code, text, errors) = run(&["list"]);
    assert_eq!((code, &*errors), (0, ""));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), ALL.len());
    for (line, program) in lines.iter().zip(ALL) {
        assert!(line.starts_with(program.name) && line.ends_with(program.about), "{line}");
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_closest_ones() {
    let (code, text, errors) = run(&["show", "rfb"]);
    assert_eq!((code, &*text), (2, ""));
    assert!(errors.contains("invalid value 'rfb'") && errors.contains("'rfib'"), "{errors}");
    let (code, _, errors) = run(&["show", "complex_lgo"]);
    assert_eq!(code, 2);
    assert!(errors.contains("a similar value exists: 'complex_log'"), "{errors}");
}

#[test]
fn what_is_not_understood_is_a_usage_error() {
    for arguments in [&["--sideways"][..], &["show"], &["frobnicate"], &["list", "rfib"], &["show", "rfib", "rfib"]] {
        let (code, text, errors) = run(arguments);
        assert_eq!((code, &*text), (2, ""), "{arguments:?}");
        assert!(errors.starts_with("error: ") && errors.contains("Usage: "), "{arguments:?}: {errors}");
    }
}

#[test]
fn help_names_the_commands() {
    let (code, text, _) = run(&["--help"]);
    assert_eq!(code, 0);
    assert!(text.contains("list") && text.contains("show") && text.contains("tour"), "{text}");
}

#[test]
fn nothing_is_coloured_where_there_is_no_terminal() {
    for arguments in [&[][..], &["--help"], &["show", "rfb"], &["--sideways"]] {
        let (_, text, errors) = run(arguments);
        assert!(!text.contains('\x1b') && !errors.contains('\x1b'), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = command(&[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let (code, _, errors) = texts(child.wait_with_output().unwrap());
    assert_eq!((code, &*errors), (0, ""));
}
