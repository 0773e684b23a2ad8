import TripStore

/// What decides, beside the file and the store, what becomes of a record.
struct ImportBasis: Sendable {
    /// What imports wrote before.
    let history = ImportHistory()
    /// Whether a store exported the file, and not the app: then what is held already is not written as news.
    let isOwnExport: Bool
}
