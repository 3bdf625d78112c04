// The same for Rust: panics that abort, faults, iterators, threads.
use std::hint::black_box;

#[inline(never)]
fn um_fault(depth: usize) -> usize {
    unsafe { std::ptr::read_volatile(black_box(0x10 as *const usize)) + depth }
}

#[inline(never)]
fn um_panic(depth: usize) -> usize {
    let numbers = black_box(vec![1usize, 2, 3]);
    numbers[black_box(depth + 7)] + 1
}

#[inline(never)]
fn um_unwrap(depth: usize) -> usize {
    let nothing: Option<usize> = black_box(if depth > 1000 { Some(depth) } else { None });
    nothing.unwrap() + 1
}

#[inline(never)]
fn um_iterate(depth: usize) -> usize {
    let numbers = black_box(vec![depth, 2, 3]);
    let mut sum = 0;
    numbers.iter().for_each(|number| sum += um_fault(*number) + 1);
    sum
}

#[inline(never)]
fn um_thread(depth: usize) -> usize {
    let worker = std::thread::spawn(move || um_fault(depth) + 1);
    worker.join().unwrap_or(0) + 1
}

#[inline(never)]
fn um_deep(kind: &str, depth: usize) -> usize {
    if depth > 0 {
        return um_deep(kind, depth - 1) + black_box(1);
    }
    let result = match kind {
        "fault" => um_fault(depth),
        "panic" => um_panic(depth),
        "unwrap" => um_unwrap(depth),
        "iterate" => um_iterate(depth),
        _ => um_thread(depth),
    };
    black_box(result) + 1
}

fn main() {
    let kind = std::env::args().nth(1).unwrap_or_default();
    println!("{}", um_deep(&kind, 4));
}
