#if Hub
    import EventLog
    import Events
    import LogExchange
    import NIOCore
    import Synchronization
    import Testing

    @testable import HubCarrier

    @Suite("The places of connections")
    struct ConnectionPlacesTests {
        private final class Connection: Sendable {
            let place: ConnectionPlace?
            private let closed = Counter()
            var isClosed: Bool { closed.value > 0 }

            init(_ places: ConnectionPlaces, _ address: String) {
                let closed = closed
                place = places.enter(try? SocketAddress(ipAddress: address, port: 9)) { closed.add() }
            }
        }

        /// A replica of its own, or one by its number.
        private static func replica(_ number: UInt64 = .random(in: .min ... .max)) -> ReplicaID {
            ReplicaID(publicKey: withUnsafeBytes(of: number) { Array($0) })
        }

        private static func places(_ change: (inout HubLimits) -> Void) -> ConnectionPlaces {
            ConnectionPlaces(.with(change))
        }

        @Test("A full pool drops the oldest greeting of the address that has most, and not the member's")
        func greetings() {
            let places = Self.places { ($0.connections, $0.greetings, $0.greetingsOfAddress) = (100, 6, 4) }
            let first = Connection(places, "192.0.2.1")
            let many = (0..<5).map { _ in Connection(places, "192.0.2.2") }
            // Five of one address are one too many for it.
            #expect(many.map(\.isClosed) == [true, false, false, false, false])
            let other = Connection(places, "192.0.2.3")
            #expect(!first.isClosed && !other.isClosed && places.count(.greeting) == 6)
            let member = Connection(places, "192.0.2.4")
            #expect(many.map(\.isClosed) == [true, true, false, false, false])
            #expect(!first.isClosed && !other.isClosed && !member.isClosed)
        }

        @Test("An IPv6 network of 64 bits is one address, and an IPv4 address in IPv6's form is that address")
        func networks() {
            let places = Self.places { ($0.connections, $0.greetings, $0.greetingsOfAddress) = (100, 20, 2) }
            let near = (1...3).map { Connection(places, "2001:db8:0:1::\($0)") }
            let far = (1...3).map { Connection(places, "2001:db8:0:\($0 + 1)::1") }
            #expect(near.map(\.isClosed) == [true, false, false] && !far.contains(where: \.isClosed))
            let mapped = (0..<2).map { _ in Connection(places, "::ffff:192.0.2.1") }
            let plain = Connection(places, "192.0.2.1")
            #expect(mapped.map(\.isClosed) == [true, false] && !plain.isClosed)
        }

        @Test("Where all places are taken, one of a stranger is dropped for a new connection; one of a member never is")
        func full() {
            let places = Self.places { ($0.connections, $0.greetings) = (8, 8) }
            let members = (0..<6).map { _ in
                let member = Connection(places, "192.0.2.1")
                member.place?.stands(.served, of: Self.replica())
                return member
            }
            let strangers = (0..<2).map { _ in Connection(places, "192.0.2.2") }
            strangers[0].place?.stands(.beginning, of: Self.replica())
            let next = Connection(places, "192.0.2.3")
            #expect(next.place != nil && strangers[1].isClosed && !strangers[0].isClosed)
            next.place?.stands(.ticket, of: Self.replica())
            let last = Connection(places, "192.0.2.4")
            #expect(last.place != nil && strangers[0].isClosed)
            last.place?.stands(.served, of: Self.replica())
            #expect(Connection(places, "192.0.2.5").place == nil)
            #expect(!members.contains(where: \.isClosed) && !next.isClosed && !last.isClosed)
            members[0].place?.leave()
            #expect(Connection(places, "192.0.2.5").place != nil)
        }

        @Test("Those that ask for the hub's health have a pool of their own, which greetings do not fill")
        func health() {
            let places = Self.places { ($0.connections, $0.greetings, $0.healthConnections) = (100, 2, 2) }
            let balancer = Connection(places, "192.0.2.1")
            balancer.place?.asksForHealth()
            let chatty = (0..<5).map { _ in Connection(places, "192.0.2.2") }
            for connection in chatty { connection.place?.asksForHealth() }
            #expect(!balancer.isClosed && places.count(.health) == 2)
            for _ in 0..<10 { _ = Connection(places, "192.0.2.3") }
            #expect(!balancer.isClosed && places.count(.greeting) == 2)
        }

        @Test(
            "With 4,096 connections of 64 addresses that greet and ask for the health, 200 members are served, those with a ticket at once"
        )
        func members() {
            let places = Self.places { $0.connections = 1000 }
            var (members, strangers): ([Connection], [Connection]) = ([], [])
            for number in 0..<4096 {
                let stranger = Connection(places, "198.51.100.\(number % 64)")
                if number % 3 == 0 { stranger.place?.asksForHealth() }
                if number % 3 == 1 { stranger.place?.stands(.beginning, of: Self.replica()) }
                strangers.append(stranger)
                guard number % 20 == 0, members.count < 200 else { continue }
                let member = Connection(places, "203.0.113.7")
                member.place?.stands(.ticket, of: Self.replica())
                members.append(member)
            }
            #expect(members.count == 200 && !members.contains(where: \.isClosed))
            #expect(strangers.count { !$0.isClosed } <= 250 + 16 + 250)
        }
    }
#endif
