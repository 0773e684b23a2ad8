import TripStore

/// Stays, journeys and items of several days that go on, in the order in which they began. Each step takes amortized constant time.
struct RunningItems {
    private struct Running {
        let course: ItemCourse
        /// How many sections had been begun when it began.
        let begun: Int
    }

    /// Nil of what has ended.
    private var slots: [Running?] = []
    private var slot: [EntityReference: Int] = [:]
    /// The slots of the first that go on, at most `Itinerary.mostContinuing`.
    private var first: [Int] = []
    /// The slots before this were looked at for `first`.
    private(set) var looked = 0
    private var begunSections = 0
    /// Of those that go on, how many began in the last section.
    private var begunInLast = 0

    mutating func beginSection() {
        begunSections += 1
        begunInLast = 0
    }

    /// An item that goes on is not begun again.
    mutating func begin(_ course: ItemCourse) {
        guard slot[course.item.reference] == nil else { return }
        slot[course.item.reference] = slots.count
        slots.append(Running(course: course, begun: begunSections))
        begunInLast += 1
        fill()
    }

    mutating func end(_ course: ItemCourse) {
        guard let index = slot.removeValue(forKey: course.item.reference) else { return }
        if slots[index]?.begun == begunSections { begunInLast -= 1 }
        slots[index] = nil
        if let place = first.firstIndex(of: index) { first.remove(at: place) }
        fill()
    }

    private mutating func fill() {
        while first.count < Itinerary.mostContinuing, looked < slots.count {
            if slots[looked] != nil { first.append(looked) }
            looked += 1
        }
    }

    /// All that go on: the first of them, and how many others there are.
    var all: (listed: [ItemCourse], unlisted: Int) {
        (first.compactMap { slots[$0]?.course }, slot.count - first.count)
    }

    /// The same of those that went on when the last section began. Those that began in it are the last ones.
    var fromEarlierSections: (listed: [ItemCourse], unlisted: Int) {
        let listed = first.compactMap { slots[$0] }.filter { $0.begun < begunSections }.map(\.course)
        return (listed, slot.count - begunInLast - listed.count)
    }
}
