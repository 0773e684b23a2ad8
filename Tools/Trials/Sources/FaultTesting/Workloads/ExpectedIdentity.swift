/// The replicas as which a store may write: it goes on as the one that it was seen as, and takes another only as often as something
/// happened to it that makes it a copy, an older state, or the store of a wrong clock.
struct ExpectedIdentity: Sendable {
    /// The store's replica; nil if unknown.
    private(set) var replica: String?
    /// How many ids it may have taken, over all times.
    private(set) var renewals = 0
    /// How many of them were not seen yet.
    private var pending = 0
    /// The last one that was seen.
    private var last: String?
    /// Those before it.
    private var former: Set<String> = []

    init() {}

    init(replica: String?, renewals: Int) {
        (self.replica, last, self.renewals) = (replica, replica, renewals)
    }

    /// Whether the store was seen to be opened.
    var isKnown: Bool { last != nil }

    mutating func allowRenewal() {
        replica = nil
        pending += 1
        renewals += 1
    }

    /// The store was opened as a replica. Processes that ran at once are noted one after the other, so that a former id may follow.
    mutating func note(_ id: String) {
        guard !former.contains(id) else { return }
        if pending > 0, let last, id != last {
            pending -= 1
            former.insert(last)
        }
        last = id
        if pending == 0 { replica = id }
    }
}
