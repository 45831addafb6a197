//! The `retrograd` command, from outside.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use lab_corpus::programs::ALL;

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
    let (code, text, errors) = run(&["tour"]);
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
        let output = command(&["tour"]).env("COLUMNS", columns.to_string()).output().unwrap();
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
fn devices_are_named_as_they_are_asked_for() {
    let (code, text, errors) = run(&["devices"]);
    assert_eq!((code, &*errors), (0, ""));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("cpu       CPU"));
    for line in lines {
        let (asked, about) = line.split_once(' ').expect("a device, and what it is called");
        match asked.parse::<retrograd::kernel::Device>() {
            Ok(device) => assert_eq!(about.trim_start(), device.name()),
            Err(_) => assert!(["opencl", "cuda"].contains(&asked) && about.contains("there is no d"), "{line}"),
        }
    }
    assert!(["opencl", "cuda"].iter().all(|kind| text.contains(kind)), "{text}");
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
    for arguments in [
        &["--sideways"][..],
        &["show"],
        &["frobnicate"],
        &["list", "rfib"],
        &["show", "rfib", "rfib"],
        &["report", "--quick", "--full"],
        &["compare", "a"],
        &["quote", "a"],
    ] {
        let (code, text, errors) = run(arguments);
        assert_eq!((code, &*text), (2, ""), "{arguments:?}");
        assert!(errors.starts_with("error: ") && errors.contains("Usage: "), "{arguments:?}: {errors}");
    }
}

#[test]
fn help_names_the_commands() {
    let (code, text, _) = run(&["--help"]);
    assert_eq!(code, 0);
    for name in ["report", "compare", "quote", "tour", "list", "devices", "show"] {
        assert!(text.contains(&format!("\n  {name} ")), "{name} is missing: {text}");
    }
}

#[test]
fn nothing_is_coloured_where_there_is_no_terminal() {
    for arguments in [&["tour"][..], &["--help"], &["show", "rfb"], &["--sideways"]] {
        let (_, text, errors) = run(arguments);
        assert!(!text.contains('\x1b') && !errors.contains('\x1b'), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = command(&["tour"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let (code, _, errors) = texts(child.wait_with_output().unwrap());
    assert_eq!((code, &*errors), (0, ""));
}

/// A folder of its own for each test, which is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_report_is_written_and_summed_up() {
    let out = folder("report");
    let out = out.to_str().unwrap();
    let (code, text, errors) = run(&["report", "--small", "--only", "power_function", "--out", out]);
    assert_eq!(code, 0, "{text}{errors}");
    assert!(text.contains("\npower_function\n  holds ") && text.contains("1 of 1 experiments"), "{text}");
    assert!(text.ends_with(&format!("\nThe report is in {out}/index.html\n")), "{text}");
    // Plain lines, as there is no terminal.
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!(lines[0], "[1/1] power_function: begins");
    assert!(lines[1].starts_with("[1/1] power_function: 3 claims, none fails ("), "{errors}");
    assert_eq!((lines.len(), errors.contains('\x1b')), (2, false));
    for name in ["index.html", "report.json"] {
        assert!(fs::read_to_string(format!("{out}/{name}")).unwrap().contains("power_function"), "{name}");
    }

    let (code, text, _) = run(&["compare", out, &format!("{out}/report.json")]);
    assert_eq!(code, 0);
    assert!(text.contains("figures are the same"), "{text}");
}

#[test]
fn a_report_can_be_printed_as_json() {
    let out = folder("json");
    let out = out.to_str().unwrap();
    let (code, text, _) = run(&["report", "--small", "--only", "power_function", "--json", "--out", out]);
    assert_eq!((code, &*text), (0, &*fs::read_to_string(format!("{out}/report.json")).unwrap()));
}

#[test]
fn texts_quote_a_report() {
    let out = folder("quote");
    let text = out.join("notes.md");
    let [folder, file] = [&out, &text].map(|path| path.to_str().unwrap());
    let (code, _, errors) = run(&["report", "--small", "--only", "learning_by_consistency", "--out", folder]);
    assert_eq!(code, 0, "{errors}");
    let mark = "<!-- report: learning_by_consistency | plot The output against the iterations of training; it should be 1. -->";
    fs::write(&text, format!("# Notes\n\n{mark}<!-- end -->\n")).unwrap();
    let (code, said, errors) = run(&["quote", folder, file]);
    let picture = out.join("pictures/learning_by_consistency-1.svg");
    let both = format!("{file} is new\n{} is new\n", picture.display());
    assert_eq!((code, &*said, &*errors), (0, &*both, ""));
    assert!(fs::read_to_string(&text).unwrap().contains("](pictures/learning_by_consistency-1.svg)"));
    assert!(fs::read_to_string(&picture).unwrap().starts_with("<svg "));
    assert_eq!(run(&["quote", folder, file]), (0, String::new(), String::new()));

    let kept = out.join("kept.json");
    let (code, said, _) = run(&["quote", folder, file, "--keep", kept.to_str().unwrap()]);
    assert_eq!((code, said), (0, format!("{} is new\n", kept.display())));
    let length = |path: &PathBuf| fs::metadata(path).unwrap().len();
    assert!(length(&kept) < length(&out.join("report.json")) / 2);

    fs::write(&text, "\n<!-- report: memory | x --><!-- end -->").unwrap();
    let (code, said, errors) = run(&["quote", folder, file, "no-such-file.md"]);
    assert_eq!((code, &*said), (1, ""));
    let message = format!("retrograd: {file}:2: nothing was found by `memory`; there are `learning_by_consistency`\n");
    assert!(errors.starts_with(&message), "{errors}");
    assert!(errors.contains("retrograd: no-such-file.md: it could not be read: "), "{errors}");
}

#[test]
fn an_unknown_experiment_is_answered_with_the_closest_one() {
    let (code, text, errors) = run(&["report", "--only", "roundoff"]);
    assert_eq!((code, &*text), (2, ""));
    assert!(errors.contains("a similar value exists: 'round_off'"), "{errors}");
}

#[test]
fn what_cannot_be_read_or_written_is_named() {
    let (code, text, errors) = run(&["compare", "no-such-folder", "nor-this"]);
    assert_eq!((code, &*text), (1, ""));
    assert!(errors.starts_with("retrograd: no-such-folder: "), "{errors}");
    let (code, text, errors) = run(&["report", "--small", "--only", "power_function", "--out", "Cargo.toml"]);
    assert_eq!((code, &*text), (1, ""));
    assert!(errors.starts_with("retrograd: Cargo.toml could not be written: "), "{errors}");
}

#[test]
fn data_files_are_read_and_what_is_wrong_in_them_is_said() {
    let out = folder("data");
    fs::create_dir_all(&out).unwrap();
    let [good, bad, other] = ["gmm_good.txt", "ba_bad.txt", "other.txt"].map(|name| out.join(name));
    fs::write(&good, "1 2 1\n0.5 0.25\n1\n2\n0.1\n0.2\n7\n1.5 3\n").unwrap();
    fs::write(&bad, "2 3 4\n1 2 three\n").unwrap();
    let [good, bad, other, out] = [&good, &bad, &other, &out].map(|path| path.to_str().unwrap());
    let only = ["report", "--small", "--only", "gaussian_mixture", "bundle_adjustment", "--out", out, "--data"];
    let (code, text, errors) = run(&[&only[..], &[bad, good]].concat());
    // One file is malformed, and the experiment with the other one goes on.
    assert_eq!(code, 1, "{errors}");
    let message = format!("{bad}:2: `three`, where a part of the camera (number 3 of 11) was expected");
    assert!(text.contains(&message) && text.contains("1 experiments failed"), "{text}");
    assert!(text.contains("gaussian_mixture\n  holds "), "{text}");
    assert!(fs::read_to_string(format!("{out}/report.json")).unwrap().contains("gmm_good.txt"));

    let (code, text, _) = run(&[&only[..], &[&format!("{out}/ba_missing.txt")]].concat());
    assert_eq!(code, 1);
    assert!(text.contains("/ba_missing.txt: it could not be read: "), "{text}");

    let (code, text, errors) = run(&["report", "--small", "--only", "memory", "--out", out, "--data", good]);
    assert_eq!((code, &*text), (2, ""));
    let message = "is read by the experiment `gaussian_mixture`, which `--only` leaves out";
    assert!(errors.contains(message), "{errors}");

    let (code, text, errors) = run(&[&only[..], &[other]].concat());
    assert_eq!((code, &*text), (2, ""));
    assert!(
        errors.contains("no experiment reads it: its name should begin with gmm or ba or lstm or hand"),
        "{errors}"
    );
}

#[test]
fn the_model_of_a_hand_is_read_from_the_folder_beside_its_file() {
    let out = folder("hands");
    fs::create_dir_all(out.join("model")).unwrap();
    let [hand, bones] = ["hand1.txt", "model/bones.txt"].map(|name| out.join(name));
    fs::write(&hand, "1 26\n0 1 2 3\n").unwrap();
    let report = || {
        let [out, hand] = [&out, &hand].map(|path| path.to_str().unwrap());
        let (code, text, _) = run(&["report", "--small", "--only", "hand_tracking", "--out", out, "--data", hand]);
        assert_eq!(code, 1);
        text
    };
    let text = report();
    assert!(text.contains(&format!("{}: it could not be read: ", bones.display())), "{text}");
    fs::write(&bones, "wrist:0\n").unwrap();
    let text = report();
    let message = "1: `0`, where the number of a bone in a line before, or -1, was expected";
    assert!(text.contains(&format!("{}:{message}", bones.display())), "{text}");
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_what_is_finished_and_says_so() {
    use std::io::{BufRead, BufReader, Read};
    let out = folder("interrupted");
    let mut child = command(&["report", "--quick", "--only", "power_function", "bit_exact_return", "--out"])
        .arg(&out)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    // The experiments run in the order of the list, whatever the order in which they are asked for.
    let mut line = String::new();
    while !line.contains("[1/2] bit_exact_return: begins") {
        line.clear();
        assert!(errors.read_line(&mut line).unwrap() > 0, "it ended too early");
    }
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(rest.contains("interrupted; the report has the 0 of 2 experiments that were finished"), "{rest}");
    assert!(fs::read_to_string(out.join("index.html")).unwrap().contains("0 of 2 experiments"));
}

#[test]
fn programs_are_debugged_forwards_and_backwards() {
    let out = folder("debug");
    fs::create_dir_all(&out).unwrap();
    let (program, script) = (out.join("swing.rs"), out.join("commands"));
    let text = "#[reversible]\nfn swing(x: &mut f64, v: &mut f64) {\n    *v -= 0.5 * *x;\n    *x += 0.5 * *v;\n}\n";
    fs::write(&program, text).unwrap();
    fs::write(&script, "run\nprint\nwho v\nback run\nadjoints x\n").unwrap();
    let (program, script) = (program.to_str().unwrap(), script.to_str().unwrap());
    let debug = |args: &[&str]| run(&[&["debug", program, "--script", script, "--args"], args].concat());
    let (code, text, errors) = debug(&["1.0", "-0.5"]);
    assert_eq!((code, &*errors), (0, ""));
    let expected = "the end of `swing`\nx = 0.5\nv = -1.0\n`v` was -0.5 and became -1.0 here\n3: *v -= 0.5 * *x;\n\
                    3: *v -= 0.5 * *x;\nx = 1.0, adjoint 0.75\nv = -0.5, adjoint 0.5\n";
    assert_eq!(text, expected);
    // Arguments end where another option begins.
    let (code, text, errors) = run(&["debug", program, "--args", "1.0", "-0.5", "--script", script]);
    assert_eq!((code, &*text, &*errors), (0, expected, ""));
    // What is wrong is said, with its place.
    let (code, _, errors) = debug(&["1.0"]);
    assert_eq!((code, &*errors), (1, "retrograd: `swing` takes 2 arguments, and got 1\n"));
    let (code, _, errors) = debug(&["1.0", "speed"]);
    assert_eq!(code, 1);
    assert!(errors.starts_with("retrograd: argument 2 of `swing`, `speed`: "), "{errors}");
    let (code, _, errors) = run(&["debug", program, "swung"]);
    assert_eq!((code, errors), (1, format!("retrograd: {program}: there is no program `swung`, but `swing`\n")));
    fs::write(program, "#[reversible]\nfn f(x: &mut f64) {\n    x = 3;\n}\n").unwrap();
    let (code, _, errors) = run(&["debug", program]);
    assert_eq!(code, 1);
    assert!(errors.starts_with(&format!("retrograd: {program}:3:5: ")), "{errors}");
}
