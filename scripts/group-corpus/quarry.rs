// Bugs in Rust that the rules were not made for. Usage: quarry BUG ROUTE VALUE.
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::hint::black_box;
use std::sync::{mpsc, Arc, Mutex};

#[derive(Debug, Clone)]
pub struct Stone {
    weight: i32,
    kind: String,
}

#[derive(Debug)]
pub enum QuarryError {
    Empty(u32),
}

impl fmt::Display for QuarryError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self:?}")
    }
}

pub struct Pit<T> {
    layers: VecDeque<T>,
    marks: BTreeMap<i32, String>,
}

impl<T: Clone + fmt::Debug> Pit<T> {
    fn new() -> Self {
        Pit { layers: VecDeque::new(), marks: BTreeMap::new() }
    }

    // q01
    #[cfg_attr(symtab, inline(never))]
    pub fn dig(&mut self) -> T {
        trace("dig");
        let top = self.layers.pop_front().expect("a layer");
        self.layers.push_back(top.clone());
        top
    }

    // q02
    #[cfg_attr(symtab, inline(never))]
    pub fn mark(&self, depth: i32) -> char {
        trace("mark");
        let name = &self.marks[&depth];
        name.chars().next().unwrap_or('?')
    }
}

// q03
#[cfg_attr(symtab, inline(never))]
pub fn crush(stones: &[Stone], size: usize) -> i32 {
    trace("crush");
    let mut sum = 0;
    for group in stones.chunks(black_box(size)) {
        sum += group.iter().map(|stone| stone.weight).max().unwrap_or(0);
    }
    sum
}

// q04
#[cfg_attr(symtab, inline(never))]
pub fn split<'a>(text: &'a str, at: usize) -> (&'a str, &'a str) {
    trace("split");
    let (left, right) = (&text[..black_box(at)], &text[at..]);
    (left.trim(), right.trim())
}

// q05
#[cfg_attr(symtab, inline(never))]
pub fn haul(result: Result<Stone, QuarryError>) -> i32 {
    trace("haul");
    match result {
        Ok(stone) => stone.weight + stone.kind.len() as i32,
        Err(error) => panic!("nothing to haul: {error}"),
    }
}

pub trait Tool {
    fn wear(&mut self, by: i32) -> i32;
}

pub struct Drill {
    left: Vec<i32>,
}

// q06
impl Tool for Drill {
    #[cfg_attr(symtab, inline(never))]
    fn wear(&mut self, by: i32) -> i32 {
        trace("wear");
        let gone = self.left.remove(black_box(by) as usize);
        gone + self.left.len() as i32
    }
}

#[cfg(second)]
fn trace(text: &str) {
    let mut hash = 7u64;
    for byte in text.bytes() {
        hash = hash.wrapping_mul(31).wrapping_add(byte as u64);
    }
    black_box(hash);
}
#[cfg(not(second))]
fn trace(text: &str) {
    black_box(text.len());
}

fn shift(bug: u32, value: u32, again: bool) -> i64 {
    let mut drill: Box<dyn Tool> = Box::new(Drill { left: vec![1, 2] });
    match (bug, again) {
        (1, false) => Pit::<i64>::new().dig(),
        (1, true) => Pit::<String>::new().dig().len() as i64,
        (2, _) => Pit::<u8>::new().mark(value as i32) as i64,
        (3, false) => crush(&[], 0) as i64,
        (3, true) => crush(&vec![Stone { weight: 2, kind: "k".into() }; 3], 0) as i64,
        (4, false) => split("grün", 3).0.len() as i64,
        (4, true) => split("kurz und weiß", 13).1.len() as i64,
        (5, false) => haul(Err(QuarryError::Empty(value))) as i64,
        (5, true) => haul(black_box(Err(QuarryError::Empty(1000)))) as i64 * 2,
        (_, false) => drill.wear(value as i32 + 2) as i64,
        (_, true) => Drill { left: vec![] }.wear(70) as i64,
    }
}

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [bug, route, value] = numbers[..] else { return };
    let total = match route {
        0 => shift(bug, value, false),
        1 => {
            let (send, receive) = mpsc::channel();
            std::thread::Builder::new()
                .name("shift".into())
                .spawn(move || send.send(shift(bug, value, false)))
                .and_then(|handle| Ok(handle.join()))
                .ok();
            receive.recv().unwrap_or(0)
        }
        2 => {
            let shared = Arc::new(Mutex::new(0));
            std::thread::scope(|scope| {
                scope.spawn(|| *shared.lock().unwrap() += shift(bug, value, true));
            });
            let total = *shared.lock().unwrap();
            total
        }
        _ => (0..2).flat_map(|_| Some(shift(bug, value, true))).fold(0, |sum, item| sum + item),
    };
    println!("{total}");
}
