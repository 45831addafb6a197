//! Hands, in three files, and the poses in which they were measured.

use super::{Malformed, Words};
use crate::programs::hand_tracking::{Affine, BONES};

/// A bone, and what it hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// The bone that it hangs on.
    pub parent: Option<usize>,
    /// Its place with respect to that one, for the hand at rest.
    pub relative: Affine<f64>,
    /// From the hand at rest to it.
    pub inverse_absolute: Affine<f64>,
}

/// Vertices of the skin: where each one is, and the bones that it follows, with their weights.
pub type Skin = (Vec<[f64; 3]>, Vec<Vec<(usize, f64)>>);

/// A map, whose fourth row says nothing.
fn affine(words: &mut Words, expected: &str) -> Result<Affine<f64>, Malformed> {
    let [a, b, c]: Affine<f64> = [words.array(expected)?, words.array(expected)?, words.array(expected)?];
    for last in [0.0, 0.0, 0.0, 1.0] {
        let word = words.next(expected)?;
        if word.parse() != Ok(last) {
            return words.refuse(word, &format!("{last}, as the last row of {expected} is 0:0:0:1,"));
        }
    }
    Ok([a, b, c])
}

/// Reads `bones.txt`: a name, the number of the bone that it hangs on, or -1, and both maps, in each line.
///
/// # Errors
///
/// [`Malformed`], with the line.
pub fn bones(text: &str) -> Result<Vec<Bone>, Malformed> {
    let mut bones = Vec::new();
    let mut line = 1;
    for mut words in Words::by_line(text) {
        line = words.line;
        words.next("the name of a bone")?;
        let word = words.next("the bone that it hangs on")?;
        let parent = match word.parse() {
            Ok(parent) if parent < bones.len() => Some(parent),
            _ if word == "-1" => None,
            _ => return words.refuse(word, "the number of a bone in a line before, or -1,"),
        };
        let relative = affine(&mut words, "the place of a bone")?;
        let inverse_absolute = affine(&mut words, "the way to a bone")?;
        words.end()?;
        bones.push(Bone { parent, relative, inverse_absolute });
    }
    match bones.len() {
        BONES => Ok(bones),
        count => Err(Malformed { line, what: format!("{count} bones, where {BONES} were expected") }),
    }
}

/// Reads `vertices.txt`: a place, five numbers that are not needed, and the bones with their weights, in each line.
///
/// ```
/// use lab_corpus::yardsticks::adbench::hand::vertices;
///
/// let (places, weights) = vertices("1:2:3:0:0:1:0:0:2:5:0.75:6:0.25\n").unwrap();
/// assert_eq!((places, weights), (vec![[1.0, 2.0, 3.0]], vec![vec![(5, 0.75), (6, 0.25)]]));
/// ```
///
/// # Errors
///
/// [`Malformed`], with the line.
pub fn vertices(text: &str) -> Result<Skin, Malformed> {
    let vertex = |mut words: Words| {
        let place = words.array("a coordinate of a vertex")?;
        words.array::<5>("a part of normal and texture")?;
        let count = words.index(BONES + 1, "how many bones the vertex follows")?;
        let mut weight = || Ok((words.index(BONES, "a bone")?, words.number("the weight of a bone")?));
        let weights = (0..count).map(|_| weight()).collect::<Result<_, _>>()?;
        words.end()?;
        Ok((place, weights))
    };
    Ok(Words::in_lines(text, "a coordinate of a vertex", vertex)?.into_iter().unzip())
}

/// Reads `triangles.txt`: three of the vertices, of which there are so many, in each line.
///
/// ```
/// use lab_corpus::yardsticks::adbench::hand::triangles;
///
/// assert_eq!(triangles("0:2:1\n1:2:3\n", 4).unwrap(), [[0, 2, 1], [1, 2, 3]]);
/// let error = triangles("0:2:1\n1:2:3\n", 3).unwrap_err();
/// assert_eq!(error.to_string(), "line 2: `3`, where a corner, a whole number below 3, was expected");
/// ```
///
/// # Errors
///
/// [`Malformed`], with the line.
pub fn triangles(text: &str, vertices: usize) -> Result<Vec<[usize; 3]>, Malformed> {
    let triangle = |mut words: Words| {
        let mut corner = || words.index(vertices, "a corner");
        let corners = [corner()?, corner()?, corner()?];
        words.end()?;
        Ok(corners)
    };
    Words::in_lines(text, "a corner", triangle)
}

/// A pose, and the points that were measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// The numbers of the pose.
    pub theta: [f64; 26],
    /// The points.
    pub points: Vec<[f64; 3]>,
    /// The vertex that each point should be at, or the triangle that it should be in.
    pub seen: Vec<usize>,
    /// How near it is to two corners of the triangle, if it is one.
    pub us: Option<Vec<[f64; 2]>>,
}

impl Pose {
    /// Reads a file of ADBench: sizes, and the points, each behind a vertex or a triangle. If it is a triangle, two numbers
    /// follow for each point, in lines of their own. The pose comes last.
    ///
    /// # Errors
    ///
    /// [`Malformed`], with the line. There have to be so many vertices and triangles.
    pub fn parse(text: &str, vertices: usize, triangles: usize) -> Result<Pose, Malformed> {
        let mut words = Words::new(text);
        let count = words.size("the number of points")?;
        words.fixed_size(26, "the numbers of a pose")?;
        // What stands before a point is known only from what follows all of them.
        let (mut seen, mut points) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let index = words.index(usize::MAX, "a vertex or a triangle")?;
            seen.push((words.line, index));
            points.push(words.array("a coordinate of a point")?);
        }
        let in_triangles = words.beside_next() == 2;
        let (end, what) = if in_triangles { (triangles, "triangle") } else { (vertices, "vertex") };
        if let Some((line, index)) = seen.iter().find(|(_, index)| *index >= end) {
            let what = format!("`{index}`, where a {what}, a whole number below {end}, was expected");
            return Err(Malformed { line: *line, what });
        }
        let mut near = || words.array("how near a point is to a corner");
        let us = if in_triangles { Some((0..count).map(|_| near()).collect::<Result<_, _>>()?) } else { None };
        let theta = words.array("a number of the pose")?;
        words.end()?;
        Ok(Pose { theta, points, seen: seen.into_iter().map(|(_, index)| index).collect(), us })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bones that hang on each other and are at rest where they should be.
    fn chain() -> String {
        let map = "1:0:0:0:0:1:0:0:0:0:1:0.5:0:0:0:1";
        (0..BONES as i32).map(|bone| format!("bone{bone}:{}:{map}:{map}\n", bone - 1)).collect()
    }

    #[test]
    fn what_is_wrong_in_a_hand_is_said_with_its_line() {
        let good = chain();
        let read = bones(&good).unwrap();
        assert_eq!((read[0].parent, read[21].parent, read[3].relative[2][3]), (None, Some(20), 0.5));
        for (from, to, expected) in [
            ("bone2:1", "bone2:2", "line 3: `2`, where the number of a bone in a line before, or -1, was expected"),
            ("0:1:0.5", "0:x:0.5", "line 1: `x`, where the place of a bone (number 3 of 4) was expected"),
            (
                "0:0:0:1\n",
                "0:0:0:2\n",
                "line 1: `2`, where 1, as the last row of the way to a bone is 0:0:0:1, was expected",
            ),
            ("0:0:0:1\n", "0:0:0\n", "line 1: the line ends, where the way to a bone was expected"),
            ("0:0:0:1\n", "0:0:0:1:7\n", "line 1: `7`, where the line should end"),
        ] {
            assert_eq!(bones(&good.replacen(from, to, 1)).unwrap_err().to_string(), expected);
        }
        let short = good.lines().take(3).collect::<Vec<_>>().join("\n");
        assert_eq!(bones(&short).unwrap_err().to_string(), "line 3: 3 bones, where 22 were expected");
        for (text, expected) in [
            ("1:2\n", "line 1: the line ends, where a coordinate of a vertex (number 3 of 3) was expected"),
            ("\n1:2:3:0:0:1:0:0:1:22:1\n", "line 2: `22`, where a bone, a whole number below 22, was expected"),
            ("1:2:3:0:0:1:0:0:2:1:1\n", "line 1: the line ends, where a bone was expected"),
            ("\n", "line 1: the file ends, where a coordinate of a vertex was expected"),
        ] {
            assert_eq!(vertices(text).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn what_is_wrong_in_a_pose_is_said_with_its_line() {
        let pose = "0.5\n".repeat(26);
        let simple = format!("2 26\n3 1 2 3\n4 1 2 3\n{pose}");
        let complicated = format!("2 26\n3 1 2 3\n9 1 2 3\n0.1 0.2\n0.3 0.4\n{pose}");
        assert_eq!(Pose::parse(&simple, 5, 10).unwrap().us, None);
        assert_eq!(Pose::parse(&complicated, 5, 10).unwrap().us, Some(vec![[0.1, 0.2], [0.3, 0.4]]));
        for (text, from, to, expected) in [
            (&simple, "26", "27", "line 1: `27`, where the numbers of a pose, which is 26, was expected"),
            (&simple, "4 1", "5 1", "line 3: `5`, where a vertex, a whole number below 5, was expected"),
            (&complicated, "9 1", "10 1", "line 3: `10`, where a triangle, a whole number below 10, was expected"),
            (&simple, "4 1", "-4 1", "line 3: `-4`, where a vertex or a triangle, a whole number"),
            (
                &complicated,
                "0.4",
                "o",
                "line 5: `o`, where how near a point is to a corner (number 2 of 2) was expected",
            ),
            (&simple, "0.5\n", "", "line 28: the file ends, where a number of the pose (number 26 of 26) was expected"),
            (&simple, "0.5\n", "0.5\n0.5\n", "line 30: `0.5`, where the file should end"),
        ] {
            let error = Pose::parse(&text.replacen(from, to, 1), 5, 10).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }
}
