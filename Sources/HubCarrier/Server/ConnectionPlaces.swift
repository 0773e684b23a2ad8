#if Hub
    internal import CoreMetrics
    import Events
    import Foundation
    import LogExchange
    internal import NIOCore
    import Synchronization

    /// The places of a listener's connections, so that those of strangers keep no member away.
    ///
    /// A connection is in one of four pools: it greets until its client has shown who it is, asks for the hub's health, begins a journal,
    /// or is served. All but the last are small, in all and for one address, of which an IPv6 network of 64 bits counts as one. A pool that
    /// is full drops the oldest connection of the address that has most in it; and where all places are taken, so does a new connection to
    /// the strangers' pools.
    final class ConnectionPlaces: Sendable {
        enum Pool: Int, CaseIterable {
            case greeting, health, beginning, served
        }

        private struct Entry {
            let address: Address
            let close: @Sendable () -> Void
            var pool = Pool.greeting
            /// The replica of a connection that is served.
            var replica: ReplicaID?
        }

        /// An IPv4 address, or the first 64 bits of an IPv6 one.
        private struct Address: Hashable {
            let bytes: [UInt8]

            init(_ address: SocketAddress?) {
                switch address {
                case .v4(let v4): bytes = withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
                case .v6(let v6):
                    let all = withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
                    // An IPv4 address in IPv6's form.
                    let isMapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10...11] == [255, 255]
                    bytes = isMapped ? Array(all.suffix(4)) : Array(all.prefix(8))
                default: bytes = []
                }
            }
        }

        private struct State {
            var next = 0
            /// By number, which is their order.
            var entries: [Int: Entry] = [:]
            /// The numbers in each pool by address, in their order.
            var pools = Pool.allCases.map { _ in [Address: [Int]]() }
            var counts = Pool.allCases.map { _ in 0 }
            /// The numbers of those that are served, by replica, in their order.
            var served: [ReplicaID: [Int]] = [:]
        }

        private let limits: HubLimits
        private let state = Mutex(State())

        private let metrics: HubMetrics

        init(_ limits: HubLimits, _ metrics: HubMetrics = HubMetrics()) {
            self.limits = limits
            self.metrics = metrics
        }

        /// How many connections are in a pool.
        func count(_ pool: Pool) -> Int { state.withLock { $0.counts[pool.rawValue] } }

        /// A place for a new connection, which greets; nil if all are taken by members. `close` closes it.
        func enter(_ address: SocketAddress?, close: @escaping @Sendable () -> Void) -> ConnectionPlace? {
            let (number, dropped): (Int?, Entry?) = state.withLock { state in
                var dropped: Entry?
                if state.entries.count >= limits.connections {
                    for pool in [Pool.greeting, .health, .beginning] where dropped == nil {
                        dropped = drop(from: pool, &state)
                    }
                    guard dropped != nil else { return (nil, nil) }
                }
                state.next += 1
                state.entries[state.next] = Entry(address: Address(address), close: close)
                let other = put(state.next, in: .greeting, &state)
                return (state.next, dropped ?? other)
            }
            dropped?.close()
            if number == nil || dropped != nil { metrics.rejected.increment() }
            return number.map { ConnectionPlace(self, $0) }
        }

        fileprivate func move(_ number: Int, to pool: Pool, of replica: ReplicaID? = nil) {
            let dropped: [Entry] = state.withLock { state in
                guard let entry = state.entries[number], entry.pool != pool else { return [] }
                take(number, entry, &state)
                state.entries[number]?.replica = replica
                let other = put(number, in: pool, &state)
                guard let replica else { return [other].compactMap { $0 } }
                state.served[replica, default: []].append(number)
                let oldest = state.served[replica].flatMap { $0.count > limits.connectionsOfReplica ? $0.first : nil }
                return [other, oldest.flatMap { remove($0, &state) }].compactMap { $0 }
            }
            for entry in dropped { entry.close() }
        }

        private func remove(_ number: Int, _ state: inout State) -> Entry? {
            guard let entry = state.entries.removeValue(forKey: number) else { return nil }
            take(number, entry, &state)
            return entry
        }

        fileprivate func leave(_ number: Int) {
            state.withLock { state in _ = remove(number, &state) }
        }

        /// Puts a connection in a pool, and returns one that it is too small for.
        private func put(_ number: Int, in pool: Pool, _ state: inout State) -> Entry? {
            guard let address = state.entries[number]?.address else { return nil }
            state.entries[number]?.pool = pool
            state.pools[pool.rawValue][address, default: []].append(number)
            state.counts[pool.rawValue] += 1
            let (most, mostOfAddress) = most(pool)
            if state.pools[pool.rawValue][address, default: []].count > mostOfAddress {
                return drop(from: pool, of: address, &state)
            }
            return state.counts[pool.rawValue] > most ? drop(from: pool, &state) : nil
        }

        private func take(_ number: Int, _ entry: Entry, _ state: inout State) {
            let pool = entry.pool.rawValue
            state.pools[pool][entry.address]?.removeAll { $0 == number }
            if state.pools[pool][entry.address]?.isEmpty == true { state.pools[pool][entry.address] = nil }
            state.counts[pool] -= 1
            guard let replica = entry.replica else { return }
            state.served[replica]?.removeAll { $0 == number }
            if state.served[replica]?.isEmpty == true { state.served[replica] = nil }
        }

        /// Takes out the oldest of the address that has most; of several such addresses that with the oldest.
        private func drop(from pool: Pool, _ state: inout State) -> Entry? {
            let most = state.pools[pool.rawValue].max { one, other in
                (one.value.count, other.value.first ?? 0) < (other.value.count, one.value.first ?? 0)
            }
            return most.flatMap { drop(from: pool, of: $0.key, &state) }
        }

        private func drop(from pool: Pool, of address: Address, _ state: inout State) -> Entry? {
            state.pools[pool.rawValue][address]?.first.flatMap { remove($0, &state) }
        }

        private func most(_ pool: Pool) -> (all: Int, ofAddress: Int) {
            // A small hub has some of each.
            let quarter = max(limits.connections / 4, min(limits.connections, 16))
            switch pool {
            case .greeting: return (min(limits.greetings, quarter), limits.greetingsOfAddress)
            case .health: return (limits.healthConnections, limits.healthConnections)
            case .beginning: return (quarter, max(quarter / 4, 1))
            case .served: return (limits.connections, limits.connections)
            }
        }
    }

    /// The place of one connection.
    final class ConnectionPlace: Sendable {
        private struct State {
            /// The streams that are open and have greeted, or do.
            var streams = 0
            var standing = ClientStanding.unknown
        }

        private let places: ConnectionPlaces
        private let number: Int
        private let state = Mutex(State())

        fileprivate init(_ places: ConnectionPlaces, _ number: Int) {
            (self.places, self.number) = (places, number)
        }

        /// Whether the connection has a session: the clock of those that have none does not run then.
        var hasSession: Bool { state.withLock { $0.standing >= .beginning } }

        /// A stream is to greet. False if another one does, and no session of the connection was admitted yet.
        func beginStream() -> Bool {
            state.withLock { state in
                guard state.streams == 0 || state.standing >= .beginning else { return false }
                state.streams += 1
                return true
            }
        }

        /// A stream that began has ended. With the last one the connection is one that greets again.
        func endStream() {
            let isOver = state.withLock { state in
                state.streams -= 1
                guard state.streams == 0, state.standing > .unknown else { return false }
                state.standing = .unknown
                return true
            }
            if isOver { places.move(number, to: .greeting) }
        }

        /// A client of the connection has shown who it is. One with a ticket was served before, and greets among members.
        func stands(_ standing: ClientStanding, of replica: ReplicaID) {
            let isHigher = state.withLock { state in
                defer { state.standing = max(state.standing, standing) }
                return standing > state.standing
            }
            guard isHigher else { return }
            switch standing {
            case .unknown: break
            // A member may begin a journal as well.
            case .beginning: places.move(number, to: .beginning)
            case .ticket, .served: places.move(number, to: .served, of: replica)
            }
        }

        /// The connection asks for the hub's health.
        func asksForHealth() {
            guard !hasSession else { return }
            places.move(number, to: .health)
        }

        func leave() { places.leave(number) }
    }
#endif
