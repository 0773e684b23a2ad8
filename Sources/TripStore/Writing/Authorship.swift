public import Events
public import Foundation

/// The author of a commit, and why it is written: stored with every commit. A string is enough for an author alone:
/// `by: "ana"`.
public struct Authorship: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The author's name: nil for the author that the store was opened with (`TripStore.Options.author`); may be empty.
    public var author: String?
    /// The cause of the commit, as the app names it.
    public var causation: UUID?
    /// The unit of work of the commit, as the app names it.
    public var correlation: UUID?
    /// The caller's id of this append, so that a retry is recognised: for when the outcome of the first attempt is
    /// unknown.
    ///
    /// If one of the last 1,024 commits that this store wrote has the id, nothing is written, and the receipt is that
    /// of the first attempt, with `isRepeat`. The search is part of the write, so that it also works between processes,
    /// and after the store had to continue as another replica. Draw a new id for each commit:
    /// `TripStoreError.appendIDReused` is thrown if the commit with that id has other events. What an edit's closure
    /// computes is not compared, only the entity.
    public var appendID: AppendID?

    public init(
        author: String? = nil, causation: UUID? = nil, correlation: UUID? = nil, appendID: AppendID? = nil
    ) {
        self.author = author
        self.causation = causation
        self.correlation = correlation
        self.appendID = appendID
    }

    public init(stringLiteral author: String) { self.init(author: author) }

    /// The same, with a default author.
    func named(_ author: String) -> Authorship {
        var named = self
        named.author = self.author ?? author
        return named
    }
}
