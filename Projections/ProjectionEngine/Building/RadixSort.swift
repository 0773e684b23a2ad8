/// An order of elements that begins with that of a number.
protocol RadixOrder {
    associatedtype Element: BitwiseCopyable

    /// The number by which elements are ordered first.
    func key(_ element: Element) -> UInt64
    /// The whole order.
    func precedes(_ a: Element, _ b: Element) -> Bool
}

/// Sorts by a 64-bit key first, with as few passes over memory as the keys need.
///
/// A radix sort, least significant digit first, over the topmost bits in which the keys differ; elements that are equal
/// in these bits are then sorted by comparison. O(n) where keys are spread, O(n log n) at worst. See Knuth, The Art of Computer Programming,
/// volume 3, section 5.2.5.
///
/// It works on memory that its caller owns and keeps for as long as the sort runs; every index is within `count`.
struct RadixSort<Order: RadixOrder> {
    typealias Element = Order.Element

    private static var digitBits: Int { 11 }
    private static var digitValues: Int { 1 << digitBits }
    /// The maximum number of passes over all elements; what they leave is sorted by comparison.
    private static var passes: Int { 3 }
    /// Fewer elements are sorted by comparison at once.
    private static var smallest: Int { 256 }
    /// Runs of equal keys up to this length are sorted by insertion.
    private static var shortRun: Int { 32 }

    let order: Order

    /// Sorts in place. `scratch` returns room for as many elements; it is called only if it is needed.
    func sort(
        _ elements: UnsafeMutableBufferPointer<Element>, scratch: () -> UnsafeMutableBufferPointer<Element>
    ) {
        if isSorted(elements) { return }
        guard elements.count >= Self.smallest, let window = window(of: elements) else { return compare(elements) }
        let (lowest, digits) = window
        var counts = count(elements, from: lowest, digits)
        let scratch = UnsafeMutableBufferPointer(rebasing: scratch()[..<elements.count])
        var (source, target) = (elements, scratch)
        for digit in 0..<digits where accumulate(&counts, digit, elements.count) {
            distribute(source, into: target, &counts, digit, shift: UInt64(lowest + digit * Self.digitBits))
            swap(&source, &target)
        }
        if source.baseAddress != elements.baseAddress { _ = elements.update(fromContentsOf: source) }
        sortRuns(elements, shift: UInt64(lowest))
    }

    private func isSorted(_ elements: UnsafeMutableBufferPointer<Element>) -> Bool {
        for index in elements.indices.dropFirst() where order.precedes(elements[index], elements[index - 1]) {
            return false
        }
        return true
    }

    /// The lowest bit to sort by, and the number of digits above it; nil if all keys are equal.
    private func window(of elements: UnsafeMutableBufferPointer<Element>) -> (lowest: Int, digits: Int)? {
        let first = order.key(elements[0])
        var differing: UInt64 = 0
        for element in elements { differing |= order.key(element) ^ first }
        guard differing != 0 else { return nil }
        let width = UInt64.bitWidth - differing.leadingZeroBitCount
        let lowest = max(0, width - Self.passes * Self.digitBits)
        return (lowest, (width - lowest + Self.digitBits - 1) / Self.digitBits)
    }

    @inline(__always)
    private func digit(_ element: Element, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: order.key(element) &>> shift) & (Self.digitValues - 1)
    }

    /// How often each digit has each value, digit by digit.
    private func count(
        _ elements: UnsafeMutableBufferPointer<Element>, from lowest: Int, _ digits: Int
    ) -> [Int] {
        var counts = [Int](repeating: 0, count: digits * Self.digitValues)
        for element in elements {
            for number in 0..<digits {
                counts[number * Self.digitValues + digit(element, UInt64(lowest + number * Self.digitBits))] += 1
            }
        }
        return counts
    }

    /// Turns a digit's counts into the offsets of its values; false if all elements have the same value.
    private func accumulate(_ counts: inout [Int], _ digit: Int, _ total: Int) -> Bool {
        let values = digit * Self.digitValues..<(digit + 1) * Self.digitValues
        if values.contains(where: { counts[$0] == total }) { return false }
        var sum = 0
        for value in values {
            let count = counts[value]
            counts[value] = sum
            sum += count
        }
        return true
    }

    private func distribute(
        _ source: UnsafeMutableBufferPointer<Element>, into target: UnsafeMutableBufferPointer<Element>,
        _ offsets: inout [Int], _ number: Int, shift: UInt64
    ) {
        let start = number * Self.digitValues
        for element in source {
            let value = start + digit(element, shift)
            target[offsets[value]] = element
            offsets[value] += 1
        }
    }

    /// Sorts, by comparison, the runs of elements that are equal from a bit upwards.
    private func sortRuns(_ elements: UnsafeMutableBufferPointer<Element>, shift: UInt64) {
        var start = 0
        while start < elements.count {
            let value = order.key(elements[start]) >> shift
            var end = start + 1
            while end < elements.count, order.key(elements[end]) >> shift == value { end += 1 }
            if end - start > Self.shortRun {
                compare(UnsafeMutableBufferPointer(rebasing: elements[start..<end]))
            } else if end - start > 1 {
                insert(elements, start, end)
            }
            start = end
        }
    }

    private func compare(_ elements: UnsafeMutableBufferPointer<Element>) {
        var elements = elements
        elements.sort(by: order.precedes)
    }

    private func insert(_ elements: UnsafeMutableBufferPointer<Element>, _ start: Int, _ end: Int) {
        for index in start + 1..<end {
            let element = elements[index]
            var free = index
            while free > start, order.precedes(element, elements[free - 1]) {
                elements[free] = elements[free - 1]
                free -= 1
            }
            elements[free] = element
        }
    }
}
