/// Hands the records of a file over in batches, so that memory holds one batch and not the file. Used on one thread.
final class RecordBatches<Record> {
    private let limit: Int
    private let body: ([Record]) throws -> Void
    private var failure: (any Error)?
    /// The records that no batch has had yet.
    private(set) var waiting: [Record] = []
    /// Whether a batch was handed over.
    private(set) var isSplit = false

    init(of limit: Int, _ body: @escaping ([Record]) throws -> Void) { (self.limit, self.body) = (limit, body) }

    /// Takes the records that no batch has had yet.
    func rest() -> [Record] {
        defer { waiting = [] }
        return waiting
    }

    /// - Parameter isFull: whether the record should begin another batch, however few there are.
    func append(_ record: Record, isFull: Bool = false) throws(TextFormatError) {
        if waiting.count >= limit || isFull && !waiting.isEmpty {
            isSplit = true
            do { try body(rest()) } catch {
                // The readers throw errors of the file alone: `rethrowing(_:)` gives the cause back.
                failure = error
                throw TextFormatError(.unreadable, "It was not read to its end.")
            }
        }
        waiting.append(record)
    }

    /// Runs a reader, and throws the error of `body` if that stopped it.
    func rethrowing<T>(_ reader: () throws -> T) throws -> T {
        do { return try reader() } catch { throw failure ?? error }
    }
}
