/// Identifies a query: a value that distinguishes it from all others.
@usableFromInline
struct CacheKey: Hashable, Sendable {
    @usableFromInline let base: any Hashable & Sendable
    // Computed once: a key is looked up more than once.
    @usableFromInline let hash: Int
    /// The version of what the result depends on beside the views.
    @usableFromInline let version: Int

    @inlinable
    init(_ base: any Hashable & Sendable, version: Int = 0) {
        self.base = base
        self.version = version
        hash = base.hashValue
    }

    @usableFromInline
    static func == (a: CacheKey, b: CacheKey) -> Bool {
        a.hash == b.hash && a.version == b.version && Self.areEqual(a.base, b.base)
    }

    private static func areEqual<Base: Hashable>(_ a: Base, _ b: any Hashable & Sendable) -> Bool {
        (b as? Base).map { a == $0 } ?? false
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
