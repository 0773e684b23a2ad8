/// The limits on reading a calendar. A larger one is refused with `TextFormatError.Code.tooLarge`.
public struct CalendarLimits: Hashable, Sendable {
    /// Bytes of a file.
    public var largestFile = 64 << 20
    /// Bytes of an unfolded line.
    public var longestLine = 16 << 20
    /// How deep components may be nested.
    public var deepest = 8
    /// Components of a file, of all kinds.
    public var mostComponents = 200_000
    /// Properties of one component.
    public var mostProperties = 10_000
    /// Instances of an event that recurs.
    public var mostInstances = 400
    /// Days after the first instance of an event up to which others are taken: two years.
    public var mostDays = 731

    /// Events of a file that recur: of others the first time is taken.
    public var mostRecurring = 5_000
    /// Days that are looked at to follow the rules of a file: when they are used up, of each further event the first time is taken.
    public var mostRuleDays = 10_000_000
    /// Items of a file, each time of an event that recurs counted.
    public var mostItems = 100_000

    public init() {}
}
