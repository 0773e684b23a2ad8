/// A part of an item on a day, in a list of the day's: whether it has a clock time there, begins a stay over a night or ends one, or ends a journey.
package protocol CoursePart {
    var trip: Trip.ID? { get }
    var isTimed: Bool { get }
    var isCheckIn: Bool { get }
    var isCheckOut: Bool { get }
    var isArrival: Bool { get }
}

extension Array where Element: CoursePart {
    /// Moves each check-in of a day behind every check-out of the same trip, whatever hours houses name for them, and one without a clock time
    /// behind every arrival: one leaves before one arrives. O(parts · check-ins).
    package mutating func moveCheckIns() {
        for index in indices.reversed() where self[index].isCheckIn {
            let checkIn = self[index]
            let before = self[index...].lastIndex { other in
                other.trip == checkIn.trip
                    && (other.isCheckOut || !checkIn.isTimed && other.isTimed && other.isArrival)
            }
            guard let before else { continue }
            remove(at: index)
            insert(checkIn, at: before)
        }
    }
}
