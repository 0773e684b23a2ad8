/// What a round of kills finds.
struct Circumstances: Sendable {
    /// The name of the store.
    var store = "s"
    /// The folder with the machine's records.
    var home = Self.checkedHome
    /// How many days the processes' clock is ahead.
    var lead = 0

    /// The home at which stores are checked.
    static let checkedHome = "state"
    static let otherHome = "other-state"
}
