import Events

/// Puts the bytes of a commit, or of a content's part, together from pieces that come in order, and keeps them aside meanwhile.
struct PieceAssembly {
    private let digest: Digest
    private let size: Int
    private let keeper: PartKeeper?
    private var isKept: Bool
    private(set) var bytes: [UInt8] = []

    var isWhole: Bool { bytes.count == size }

    /// Goes on from the first `offset` bytes, which are kept. Throws `ExchangeError.notKept` if they are not any more.
    init(_ digest: Digest, size: Int, from offset: Int, _ keeper: PartKeeper?) throws {
        self.digest = digest
        self.size = size
        self.keeper = keeper
        isKept = keeper != nil
        guard offset > 0 else { return }
        guard let keeper, let kept = keeper.folder.read(keeper.piece(digest)), kept.count >= offset else {
            throw ExchangeError.notKept
        }
        bytes = [UInt8](kept.prefix(offset))
    }

    /// Adds the next piece. Throws `ExchangeError.malformed` if it is another.
    mutating func add(_ piece: [UInt8], at offset: Int, of digest: Digest) throws {
        guard digest == self.digest, offset == bytes.count, !piece.isEmpty, piece.count <= size - bytes.count else {
            throw ExchangeError(
                .malformed,
                "The other sent \(piece.count) bytes of a commit or an attachment from byte \(offset) on, where byte \(bytes.count) of \(size) comes next."
            )
        }
        bytes += piece
        guard let keeper else { return }
        if isWhole {
            keeper.folder.remove(keeper.piece(self.digest))
        } else if isKept {
            isKept = keeper.folder.keep(piece, in: keeper.piece(self.digest), at: offset)
        }
    }
}

extension ExchangeError {
    /// A peer went on from what was kept aside, and is not any more.
    static let notKept = ExchangeError(
        .notKept,
        "What had come before the last connection ended is not kept any more. Try again: it is sent once more.")
}
