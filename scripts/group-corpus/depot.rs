// Bugs in Rust. Usage: depot BUG ROUTE VALUE; the route says by which callers, and on which thread, a bug is reached.
use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

#[cfg(second)]
mod audit {
    // The next version of the program has more code in front.
    pub fn note(text: &str) {
        let sum: u32 = text.bytes().map(|byte| byte as u32).sum();
        std::hint::black_box(sum);
    }
}
#[cfg(not(second))]
mod audit {
    pub fn note(text: &str) {
        std::hint::black_box(text);
    }
}

pub struct Shelf {
    pub boxes: Vec<u32>,
    pub names: HashMap<String, u32>,
    pub cell: RefCell<Vec<u32>>,
}

impl Shelf {
    fn new() -> Shelf {
        Shelf { boxes: vec![1, 2, 3], names: HashMap::new(), cell: RefCell::new(vec![1]) }
    }

    // r01
    #[cfg_attr(symtab, inline(never))]
    pub fn weight(&self, index: usize) -> u32 {
        audit::note("weight");
        self.boxes[index]
    }

    // r02
    #[cfg_attr(symtab, inline(never))]
    pub fn label(&self, name: &str) -> u32 {
        audit::note("label");
        self.names[name]
    }

    // r03
    #[cfg_attr(symtab, inline(never))]
    pub fn first(&self, limit: u32) -> u32 {
        audit::note("first");
        *self.boxes.iter().find(|item| **item > limit).unwrap()
    }

    // r04
    #[cfg_attr(symtab, inline(never))]
    pub fn last(&self, text: &str) -> u32 {
        audit::note("last");
        text.parse::<u32>().expect("a number") + 1
    }

    // r05
    #[cfg_attr(symtab, inline(never))]
    pub fn swap(&self) -> usize {
        audit::note("swap");
        let held = self.cell.borrow_mut();
        let other = self.cell.borrow_mut();
        held.len() + other.len()
    }

    // r06: the closure is the bug's place.
    #[cfg_attr(symtab, inline(never))]
    pub fn scale(&self, by: u32) -> u32 {
        audit::note("scale");
        self.boxes.iter().map(|item| if *item > 1 { panic!("box {} of {}", item, by) } else { item * by }).sum()
    }
}

// r07
#[cfg_attr(symtab, inline(never))]
pub fn rank(items: &mut Vec<Option<u32>>) -> Option<u32> {
    audit::note("rank");
    items.sort_by(|a, b| a.unwrap().cmp(&b.unwrap()));
    items[0]
}

pub trait Rule {
    fn check(&self, item: u32) -> u32;
}

pub struct Heavy {
    pub limit: u32,
}

pub struct Fragile {
    pub parts: [u32; 2],
}

// r08
impl Rule for Heavy {
    #[cfg_attr(symtab, inline(never))]
    fn check(&self, item: u32) -> u32 {
        audit::note("heavy");
        if item > self.limit {
            unreachable!("item {item}")
        }
        item
    }
}

// r09
impl Rule for Fragile {
    #[cfg_attr(symtab, inline(never))]
    fn check(&self, item: u32) -> u32 {
        audit::note("fragile");
        let index = black_box(item) as usize;
        assert!(index < self.parts.len(), "part {index}");
        self.parts[index]
    }
}

// r10
#[cfg_attr(symtab, inline(never))]
pub fn depth(level: u64) -> u64 {
    let room = black_box([level; 40]);
    if level == u64::MAX { 0 } else { depth(level + 1) + room[3] }
}

pub struct Yield(bool);

impl Future for Yield {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0 {
            return Poll::Ready(());
        }
        self.0 = true;
        Poll::Pending
    }
}

// r11
#[cfg_attr(symtab, inline(never))]
pub async fn fetch(parts: Vec<u32>, index: usize) -> u32 {
    audit::note("fetch");
    Yield(false).await;
    let found = parts.get(index).copied();
    found.unwrap() + 1
}

// r12
#[cfg_attr(symtab, inline(never))]
pub fn pack<T: Into<u64> + Copy>(items: &[T], from: usize, to: usize) -> u64 {
    audit::note("pack");
    items[black_box(from)..black_box(to)].iter().map(|item| (*item).into()).sum()
}

// r13
#[cfg_attr(symtab, inline(never))]
pub fn divide(total: u32, count: u32) -> u32 {
    audit::note("divide");
    black_box(total) / black_box(count)
}

// r14
#[cfg_attr(symtab, inline(never))]
pub unsafe fn raw(place: *const u32) -> u32 {
    audit::note("raw");
    std::ptr::read_volatile(black_box(place))
}

fn wait<F: Future>(future: F) -> F::Output {
    const TABLE: RawWakerVTable = RawWakerVTable::new(|data| RawWaker::new(data, &TABLE), |_| {}, |_| {}, |_| {});
    let waker = unsafe { Waker::from_raw(RawWaker::new(std::ptr::null(), &TABLE)) };
    let mut context = Context::from_waker(&waker);
    let mut future = Box::pin(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

fn enter(bug: u32, value: u32) -> u64 {
    let shelf = Shelf::new();
    let rules: Vec<Box<dyn Rule>> = vec![Box::new(Heavy { limit: 1 }), Box::new(Fragile { parts: [1, 2] })];
    match bug {
        1 => shelf.weight(7 + value as usize) as u64,
        2 => shelf.label(&format!("n{value}")) as u64,
        3 => shelf.first(9 + value) as u64,
        4 => shelf.last(&format!("x{value}")) as u64,
        5 => shelf.swap() as u64,
        6 => shelf.scale(value) as u64,
        7 => rank(&mut vec![Some(3), None, Some(value)]).unwrap_or(0) as u64,
        8 => rules[0].check(value + 2) as u64,
        9 => rules[1].check(value + 2) as u64,
        10 => depth(value as u64),
        11 => wait(fetch(vec![1], 4 + value as usize)) as u64,
        12 => pack(&[1u32, 2, 3], 2, 5 + value as usize),
        13 => divide(value, 0) as u64,
        _ => unsafe { raw(std::ptr::without_provenance(16)) as u64 },
    }
}

// Other callers of the same functions.
fn replay(bug: u32) -> u64 {
    let shelf = Shelf::new();
    let more = match bug {
        1 => shelf.weight(99) as u64,
        2 => shelf.label("other") as u64,
        3 => shelf.first(1000) as u64,
        4 => shelf.last("") as u64,
        5 => shelf.swap() as u64 + 1,
        6 => shelf.scale(1000) as u64,
        7 => rank(&mut vec![None, Some(1), Some(2), None]).unwrap_or(1) as u64,
        8 => Heavy { limit: 4 }.check(77) as u64,
        9 => Fragile { parts: [0, 0] }.check(78) as u64,
        10 => depth(100),
        11 => wait(async { fetch(vec![1, 2], 9).await + fetch(vec![], 0).await }) as u64,
        12 => pack(&[1u8, 2], 3, 9),
        13 => divide(1000, 0) as u64,
        _ => unsafe { raw(std::ptr::without_provenance(24)) as u64 },
    };
    black_box(more) + 1
}

fn main() {
    let arguments: Vec<u32> = std::env::args().skip(1).map(|word| word.parse().unwrap_or(0)).collect();
    let (bug, route, value) = (arguments[0], arguments[1], arguments[2]);
    let sum = match route {
        0 => enter(bug, value),
        1 => std::thread::spawn(move || enter(bug, value)).join().unwrap_or(0),
        2 => replay(bug),
        _ => [bug].iter().map(|bug| enter(*bug, value)).sum(),
    };
    black_box(sum);
}
