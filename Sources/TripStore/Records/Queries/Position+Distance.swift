public import EventLog

// Declared here and not beside the type: a type that is exported alone comes without the operators of its own module.
extension Position {
    /// The position a number of commits further on, up to the greatest there is, or back, to the start at most.
    public static func + (position: Position, distance: Int) -> Position {
        guard distance >= 0 else {
            return Position(position.rawValue - min(position.rawValue, UInt64(distance.magnitude)))
        }
        let (sum, overflow) = position.rawValue.addingReportingOverflow(UInt64(distance))
        return Position(overflow ? .max : sum)
    }

    public static func - (position: Position, distance: Int) -> Position { position + -distance }
}
