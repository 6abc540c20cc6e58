#include "model/outbox/due_queue.hpp"

#include "model/base/mutation.hpp"

namespace headroom {
namespace {

// Joins two heaps; either may be kNoRow. In a heap `previous` of a first child is its parent, of any other child its
// left sibling; `next` is the right sibling.
std::uint32_t meld(RowTable& rows, std::uint32_t a, std::uint32_t b) {
  if (a == kNoRow) {
    return b;
  }
  if (b == kNoRow) {
    return a;
  }
  if (claimed_before(rows[b], rows[a])) {
    const std::uint32_t former = a;
    a = b;
    b = former;
  }
  Row& parent = rows[a];
  Row& added = rows[b];
  added.previous = a;
  added.next = parent.child;
  if (parent.child != kNoRow) {
    rows[parent.child].previous = b;
  }
  parent.child = b;
  parent.next = kNoRow;
  parent.previous = kNoRow;
  return a;
}

// Joins a list of siblings into one heap: pairs from left to right, then all from right to left.
std::uint32_t meld_siblings(RowTable& rows, std::uint32_t first) {
  std::uint32_t pairs = kNoRow;  // heaps of two, linked by `next`, last one first
  while (first != kNoRow) {
    const std::uint32_t a = first;
    const std::uint32_t b = rows[a].next;
    first = b == kNoRow ? kNoRow : rows[b].next;
    rows[a].next = rows[a].previous = kNoRow;
    if (b != kNoRow) {
      rows[b].next = rows[b].previous = kNoRow;
    }
    const std::uint32_t pair = meld(rows, a, b);
    rows[pair].next = pairs;
    pairs = pair;
  }
  std::uint32_t heap = kNoRow;
  while (pairs != kNoRow) {
    const std::uint32_t rest = rows[pairs].next;
    rows[pairs].next = kNoRow;
    heap = meld(rows, heap, pairs);
    pairs = rest;
  }
  return heap;
}

}  // namespace

std::uint32_t DueQueue::oldest(const RowTable& rows) const {
  if (head_ == kNoRow || root_ == kNoRow) {
    return head_ == kNoRow ? root_ : head_;
  }
  if (mutated(Mutation::youngest_row_first)) {
    return head_;
  }
  return claimed_before(rows[root_], rows[head_]) ? root_ : head_;
}

void DueQueue::push(RowTable& rows, std::uint32_t slot) {
  Row& row = rows[slot];
  row.next = row.previous = row.child = kNoRow;
  ++size_;
  if (tail_ != kNoRow && claimed_before(row, rows[tail_])) {
    row.in_heap = true;
    root_ = meld(rows, root_, slot);
    return;
  }
  row.in_heap = false;
  row.previous = tail_;
  (tail_ == kNoRow ? head_ : rows[tail_].next) = slot;
  tail_ = slot;
}

void DueQueue::remove(RowTable& rows, std::uint32_t slot) {
  Row& row = rows[slot];
  --size_;
  if (row.in_heap) {
    remove_from_heap(rows, slot);
  } else {
    (row.previous == kNoRow ? head_ : rows[row.previous].next) = row.next;
    (row.next == kNoRow ? tail_ : rows[row.next].previous) = row.previous;
  }
  row.next = row.previous = row.child = kNoRow;
  row.in_heap = false;
}

void DueQueue::remove_from_heap(RowTable& rows, std::uint32_t slot) {
  Row& row = rows[slot];
  const std::uint32_t below = meld_siblings(rows, row.child);
  if (slot == root_) {
    root_ = below;
    return;
  }
  Row& before = rows[row.previous];
  (before.child == slot ? before.child : before.next) = row.next;
  if (row.next != kNoRow) {
    rows[row.next].previous = row.previous;
  }
  root_ = meld(rows, root_, below);
}

}  // namespace headroom
