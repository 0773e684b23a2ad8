#if Hub
    import LogExchange
    import ServiceLifecycle

    /// Checks something again and again, and soon when it is asked to, one check at a time, until the hub is to end.
    struct RepeatedCheck: Sendable {
        private let interval: Duration
        private let dependencies: SessionDependencies
        private let requests: AsyncStream<Void>
        private let request: AsyncStream<Void>.Continuation

        init(every interval: Duration, dependencies: SessionDependencies) {
            self.interval = interval
            self.dependencies = dependencies
            (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }

        /// Asks for a check. Returns at once.
        func soon() { request.yield() }

        func run(_ check: @escaping @Sendable () async -> Void) async {
            await cancelWhenGracefulShutdown {
                await withDiscardingTaskGroup { group in
                    group.addTask {
                        while !Task.isCancelled {
                            request.yield()
                            try? await dependencies.sleep(interval)
                        }
                    }
                    for await _ in requests { await check() }
                    group.cancelAll()
                }
            }
        }
    }
#endif
