/// How much other replicas may make a log store. Data beyond a bound is refused with `EventLogError.quotaExceeded`,
/// which names the bound; all other data in an offer is stored.
public struct ReceivingQuotas: Sendable, Hashable {
    /// The most lines of replicas that are neither members nor invited, in a founded journal…
    public static let strangerLines = 64
    /// …and the most bytes of them together. They are kept, because a grant may be on the way, and forwarded to no
    /// replica.
    public static let strangerBytes = 16 << 20

    /// The most commits about members a day of a member that is no admin, voids of its own commits, together with the
    /// KiB of its commits about erasing…
    public static let statementsADay = 4096
    /// …and in total of a replica that is no member: requests, and what it erases of its own.
    public static let strangerStatements = 8
    /// The most bytes of a commit about members of either: a void, or a request, takes some 300.
    public static let statementBytes = 4096

    /// The most replicas whose commits are held, besides those that an admin granted and their successors.
    public var lines: Int
    /// The most replicas that request membership…
    public var waitingLines: Int
    /// …and the most bytes of one of them.
    public var waitingBytes: Int
    /// The most bytes of one replica's commits a day, by arrival.
    public var bytesADay: Int
    /// The most bytes of attachments that a server keeps for a journal.
    public var attachmentBytes: Int64

    public init(
        lines: Int = 10_000, waitingLines: Int = 256, waitingBytes: Int = 256 << 20, bytesADay: Int = 64 << 30,
        attachmentBytes: Int64 = 64 << 30
    ) {
        self.lines = lines
        self.waitingLines = waitingLines
        self.waitingBytes = waitingBytes
        self.bytesADay = bytesADay
        self.attachmentBytes = attachmentBytes
    }
}
