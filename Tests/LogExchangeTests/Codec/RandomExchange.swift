import EventLog
import Events
import Foundation
import TestSupport

@testable import LogExchange

/// Values of every shape that the messages can carry.
extension SeededGenerator {
    mutating func magnitude() -> UInt64 {
        let shift = UInt64.random(in: 0...63, using: &self)
        return .random(in: 0 ... .max, using: &self) >> shift
    }

    mutating func optional<T>(_ value: (inout SeededGenerator) -> T) -> T? {
        Int.random(in: 0..<3, using: &self) == 0 ? nil : value(&self)
    }

    mutating func several<T>(upTo count: Int, _ value: (inout SeededGenerator) -> T) -> [T] {
        (0..<Int.random(in: 0...count, using: &self)).map { _ in value(&self) }
    }

    mutating func digest() -> Digest {
        var builder = DigestBuilder()
        builder.add(next().bigEndianBytes)
        return builder.finish()
    }

    mutating func text() -> String {
        let characters: [Character] = ["a", "Z", " ", "é", "東", "🧳", "\"", "\\", "\n", "\u{0}"]
        return String(several(upTo: 12) { random in characters[Int(random.next() % 10)] })
    }

    mutating func journal() -> JournalID {
        JournalID((next().bigEndianBytes + next().bigEndianBytes).withUnsafeBytes { $0.uuid() })
    }

    mutating func replica() -> ReplicaID { ReplicaID(publicKey: next().bigEndianBytes) }

    mutating func sequence() -> SequenceNumber { SequenceNumber(max(1, magnitude() >> 2)) }

    mutating func commitID() -> CommitID { CommitID(replica: replica(), sequence: sequence(), hash: digest()) }

    mutating func frontier() -> Frontier { Frontier(journal: journal(), heads: several(upTo: 4) { $0.commitID() }) }

    mutating func segment() -> LineSegment {
        LineSegment(
            journal: journal(), replica: replica(), first: sequence(), previous: digest(),
            commits: several(upTo: 4) { $0.bytes(upTo: 40) }, signature: digest().bytes + digest().bytes,
            erasures: several(upTo: 2) { $0.bytes(upTo: 40) })
    }

    mutating func part() -> SegmentPart {
        let whole = segment()
        let hasSignature = Bool.random(using: &self)
        let commits = next() % 2 == 0 ? [bytes(upTo: 40)] : whole.commits
        let part = LineSegment(
            journal: whole.journal, replica: whole.replica, first: whole.first, previous: whole.previous,
            commits: commits, signature: hasSignature ? whole.signature : [], erasures: whole.erasures)
        let start = SequenceNumber(UInt64.random(in: 1...whole.first.rawValue, using: &self))
        let offset = Int(next() % 1000)
        let size = (commits.first?.count ?? 0) + offset + Int(next() % 1000)
        let piece = SegmentPart.Piece(digest: digest(), size: size, offset: offset)
        return SegmentPart(part, start: start, piece: commits.count == 1 ? piece : nil)
    }

    mutating func held() -> HeldParts {
        var held = HeldParts()
        held.commits = Set(several(upTo: 3) { $0.commitID() })
        for digest in several(upTo: 3, { $0.digest() }) { held.pieces[digest] = Int(next() % 100_000) }
        return held
    }

    mutating func greeting() -> Greeting {
        var greeting = Greeting(
            version: UInt32(truncatingIfNeeded: max(1, magnitude() >> 32)), journal: optional { $0.journal() },
            replica: replica(), name: text(), clock: optional { Int64(bitPattern: $0.magnitude()) }, digest: digest(),
            isWritable: Bool.random(using: &self),
            request: optional { random in
                MembershipRequest(
                    invitation: random.digest().bytes, signature: random.digest().bytes + random.digest().bytes)
            },
            handovers: several(upTo: 3) { random in
                RoleHandover(
                    formerKey: random.digest().bytes, successorKey: random.digest().bytes,
                    signature: random.digest().bytes + random.digest().bytes)
            }, holes: optional { $0.digest() })
        greeting.held = optional { $0.held() }
        return greeting
    }

    private mutating func segmentRequest() -> SegmentRequest {
        var request = SegmentRequest(
            journal: journal(), wanted: several(upTo: 3) { $0.commitID() }, held: several(upTo: 3) { $0.commitID() })
        request.parts = optional { $0.held() }
        return request
    }

    mutating func acknowledgement() -> Acknowledgement {
        Acknowledgement(replica: replica(), name: text(), frontier: frontier())
    }

    mutating func message() -> ExchangeMessage {
        switch next() % 14 {
        case 0: .greeting(greeting())
        case 1: .frontierRequest
        case 2: .frontier(frontier())
        case 3: .segmentRequest(segmentRequest())
        case 4: .segments(several(upTo: 3) { $0.segment() })
        case 5: .acknowledgement(acknowledgement())
        case 6: .end(count: magnitude())
        case 7: .failure(code: text(), message: text())
        case 8: .contentRequest(contentRequest())
        case 9: .contentResponse(contentResponse())
        case 10: .holeRequest(after: optional { $0.digest() })
        case 11:
            .holes(
                several(upTo: 3) { random in
                    let commit = random.commitID()
                    return ErasureState(commit.hash.bytes + random.digest().bytes.prefix(16)).map {
                        Hole(commit: commit, missing: $0)
                    }
                }.compactMap { $0 }.sorted { $0.commit.hash < $1.commit.hash })
        case 12: .segmentParts([part()] + several(upTo: 2) { $0.part() })
        default: .part(.segmentParts([part()]))
        }
    }

    /// The hashes of the parts of bytes that do not exist.
    private mutating func outline() -> ContentOutline? {
        let leaves = (0..<Int.random(in: 1...4, using: &self)).map { _ in digest() }
        let size = Int64((leaves.count - 1) * ContentID.partSize) + Int64.random(in: 1...99, using: &self)
        return ContentID(root: ContentTree.root(leaves), size: size).flatMap { ContentOutline($0, leaves: leaves) }
    }

    private mutating func contentRequest() -> ContentRequest {
        guard let outline = outline() else { return .held([], keeping: false) }
        let named = NamedContent(outline.content, in: commitID())
        let index = Int.random(in: 0..<outline.leaves.count, using: &self)
        switch next() % 6 {
        case 0: return .held([named] + several(upTo: 2) { _ in named }, keeping: Bool.random(using: &self))
        case 1: return .outline(named)
        case 2: return .parts(named, index..<index + 3, from: optional { Int($0.next() % 100) })
        case 3: return .begin(named, outline)
        case 4:
            return .piece(named, index: index, offset: Int(next() % 100), leaf: digest(), bytes(upTo: 40))
        default: return .store(named, index: index, bytes(upTo: 40))
        }
    }

    private mutating func contentResponse() -> ContentResponse {
        switch next() % 5 {
        case 0: .held([true] + several(upTo: 3) { Bool.random(using: &$0) })
        case 1: .outline(outline())
        case 2: .part(index: Int(next() % 100), bytes(upTo: 40))
        case 3: .piece(index: Int(next() % 100), offset: Int(next() % 100), bytes(upTo: 40))
        default: .next(Int(next() % 3))
        }
    }

    mutating func record() -> BundleRecord {
        switch next() % 6 {
        case 0:
            var header = BundleHeader(
                replica: replica(), name: text(), created: Int64(bitPattern: magnitude()), since: frontier(),
                frontier: frontier())
            header.version = UInt32(truncatingIfNeeded: max(1, magnitude() >> 32))
            return .header(header)
        case 1: return .segment(segment())
        case 2: return .packed(PackedMessage.encoded(bytes(upTo: 40), of: 1 + Int(next() % 100), by: .zstd))
        case 3: return outline().map { .content($0) } ?? .part([])
        case 4: return .part(bytes(upTo: 40))
        default: return .end(segments: magnitude(), commits: magnitude())
        }
    }

    mutating func peerRecord() -> PeerRecord {
        var record = PeerRecord(replica: replica(), name: text(), acknowledged: frontier())
        record.lastExchange = optional { Int64(bitPattern: $0.magnitude()) }
        record.lastTried = optional { Int64(bitPattern: $0.magnitude()) }
        record.firstExchange = optional { Int64(bitPattern: $0.magnitude()) }
        record.lastError = optional { $0.text() }
        return record
    }
}
