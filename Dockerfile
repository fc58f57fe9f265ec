# The program in a container, built by the command that makes a release.
#
#   docker build -t hegemon .
#   docker run --rm hegemon odds 5 4
#   docker run --rm -p 4272:4272 -v hegemon-games:/games hegemon
FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
# The book needs mdbook and the wheel maturin; neither is in the container.
RUN cargo xtask dist --out /dist

# Bots of one's own, `cmd(...)`, need a shell.
FROM debian:bookworm-slim
COPY --from=build /dist/hegemon /usr/local/bin/hegemon
COPY --from=build /dist/man /usr/local/share/man/man1
RUN useradd --create-home hegemon && install -d -o hegemon /games
USER hegemon
ENV HEGEMON_STORE=/games/games.db
VOLUME /games
EXPOSE 4272
ENTRYPOINT ["hegemon"]
# A browser beside the container comes from another address, so the names it uses are given.
CMD ["play", "--host", "0.0.0.0", "--name", "localhost:4272", "--name", "127.0.0.1:4272"]
