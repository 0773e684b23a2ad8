import EventLog
import Events
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

@Suite("Messages about attachments' bytes")
struct ContentMessageTests {
    private static let commit = CommitID(
        replica: ReplicaID(publicKey: [UInt8](repeating: 1, count: 32)), sequence: SequenceNumber(7), hash: .zero)
    private static let leaves = (0..<3).map { number in [UInt8(number)].withUnsafeBytes { ContentTree.leaf($0) } }

    private static func named(_ size: Int64 = Int64(ContentID.partSize) * 2 + 1) throws -> NamedContent {
        NamedContent(try #require(ContentID(root: ContentTree.root(leaves), size: size)), in: commit)
    }

    @Test("are the same after they were bytes")
    func roundTrip() throws {
        let named = try Self.named()
        let outline = try #require(ContentOutline(named.content, leaves: Self.leaves))
        let requests: [ContentRequest] = [
            .held([named, named], keeping: true), .held([named], keeping: false), .outline(named), .parts(named, 1..<3),
            .parts(named, 0..<2, from: 0), .begin(named, outline), .store(named, index: 2, [1, 2]),
            .piece(named, index: 1, offset: 0, leaf: Self.leaves[1], [3]),
        ]
        for request in requests {
            let message = try ExchangeMessage(ExchangeMessage.contentRequest(request).encoded())
            guard case .contentRequest(let read) = message else {
                Issue.record("\(message)")
                continue
            }
            #expect("\(read)" == "\(request)")
        }
        let responses: [ContentResponse] = [
            .held([true, false]), .outline(outline), .outline(nil), .part(index: 3, [9]), .part(index: 0, []), .next(5),
            .piece(index: 1, offset: 0, [4]),
        ]
        for response in responses {
            let message = try ExchangeMessage(ExchangeMessage.contentResponse(response).encoded())
            guard case .contentResponse(let read) = message else {
                Issue.record("\(message)")
                continue
            }
            #expect("\(read)" == "\(response)")
        }
    }

    @Test("with hashes that are not those of the content, or beyond the bounds, are malformed")
    func wrong() throws {
        let named = try Self.named()
        let outline = try #require(ContentOutline(named.content, leaves: Self.leaves))
        let bytes = ExchangeMessage.contentRequest(.begin(named, outline)).encoded()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x10
            // Some changes are of the commit alone, or of the size of the last part.
            if let message = try? ExchangeMessage(damaged), case .contentRequest(.begin(_, let outline)) = message {
                #expect(outline.content.root == named.content.root && outline.leaves == Self.leaves)
            }
        }
        let many = [NamedContent](repeating: named, count: ContentRequest.mostContents + 1)
        for request in [ContentRequest.held(many, keeping: false), .parts(named, 0..<65), .store(named, index: 3, [])] {
            let error = #expect(throws: ExchangeError.self) {
                try ExchangeMessage(ExchangeMessage.contentRequest(request).encoded())
            }
            #expect(error?.code == .malformed)
        }
    }

    @Test("that are cut off or altered never end the process", arguments: Seeds.some(20))
    func damaged(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let named = try Self.named()
        for request in [ContentRequest.held([named], keeping: true), .outline(named), .store(named, index: 0, [1])] {
            _ = try? ExchangeMessage(random.damaged(ExchangeMessage.contentRequest(request).encoded()))
        }
    }
}
