public import Events
public import Foundation

/// Who writes, and why: kept with every commit. Where only the author is named, a string does: `by: "ana"`.
public struct Authorship: Sendable, Hashable, ExpressibleByStringLiteral {
    /// In whose name it is written: nil for the author that the store was opened with (`TripStore.Options.author`), empty for
    /// nobody in particular.
    public var author: String?
    /// What led to the commit, as the app names it.
    public var causation: UUID?
    /// The piece of work to which it belongs, as the app names it.
    public var correlation: UUID?
    /// What the caller calls this one append, so that another attempt of it is recognised: for when the outcome of the first
    /// is not known.
    ///
    /// If one of the last 1,024 commits that this store wrote has the id, nothing is written, and the receipt is that of
    /// the first attempt, with `isRepeat`. Looked up inside the write, so that it also holds between processes, and after
    /// the store had to go on as another replica. Draw a new id for each commit: `TripStoreError.appendIDReused` is thrown
    /// where the commit with that id wrote something else. What an edit's closure computes is not compared, only the entity.
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

    /// The same, in somebody's name if it names no author.
    func named(_ author: String) -> Authorship {
        var named = self
        named.author = self.author ?? author
        return named
    }
}
