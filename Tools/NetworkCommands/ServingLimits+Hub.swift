#if Hub
    import HubCarrier
    import TripStoreCommands

    extension ServingLimits {
        var hubLimits: HubLimits {
            var limits = HubLimits()
            limits.connections = connections
            limits.draining = .seconds(grace)
            if let streams { limits.streamsPerConnection = streams }
            if let largestMessage { limits.largestFrame = largestMessage }
            if let window { limits.window = window }
            return limits
        }
    }
#endif
