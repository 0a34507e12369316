# One static program and nothing else: no shell, no user but a number, no network.
#
#   docker build --build-arg COMMIT=$(git rev-parse HEAD) -t promptc .
#   docker run --rm -v "$PWD:/work:ro" promptc render --root ./skills --message "Go."
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION= COMMIT=
RUN sh .ci/build /promptc "$VERSION" "$COMMIT"

FROM scratch
COPY --from=build /promptc /promptc
COPY --from=build /src/LICENSE /LICENSE
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/promptc"]
CMD ["--help"]
