/// A list that reuses its memory for the next values.
///
/// It is noncopyable, so that writes need no uniqueness check, as those of an array do.
struct ReusedList<Element>: ~Copyable {
    // Sound: this list alone owns it and frees it; the first `count` of `capacity` elements are initialised.
    private var start: UnsafeMutablePointer<Element>
    private var capacity = 16
    private(set) var count = 0

    init() { start = .allocate(capacity: capacity) }

    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            check(index)
            return start[index]
        }
        @inline(__always) set {
            check(index)
            start[index] = newValue
        }
    }

    /// Checks the bounds, in debug builds; in release builds callers compare with `count`.
    @inline(__always)
    private func check(_ index: Int) { assert(0..<count ~= index, "There is no index \(index) among \(count).") }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        (start + count).initialize(to: element)
        count += 1
    }

    /// Inserts before an index, 0 to `count`. O(elements behind it).
    mutating func insert(_ element: Element, at index: Int) {
        if count == capacity { grow() }
        (start + index + 1).moveInitialize(from: start + index, count: count - index)
        (start + index).initialize(to: element)
        count += 1
    }

    @inline(__always)
    mutating func removeAll() {
        start.deinitialize(count: count)
        count = 0
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: start, count: count)
        start.deallocate()
        (start, capacity) = (larger, capacity * 2)
    }
}
