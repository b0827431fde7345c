//! Counts allocations, the only trace of work that the parser does not count as operations.

#[cfg(target_arch = "wasm32")]
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
#[cfg(target_arch = "wasm32")]
use std::alloc::System;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Returns the number of allocations so far. It wraps around.
#[cfg(target_arch = "wasm32")]
pub(super) fn count() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations.wrapping_add(stats.reallocations)
}

/// Returns 0: the parser allocates with Rust's allocator only in wasm.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const fn count() -> usize {
    0
}

/// Returns the number of allocations since `before`, an earlier `count`.
pub(super) fn since(before: usize) -> usize {
    count().wrapping_sub(before)
}
