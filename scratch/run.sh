cd target-bin; mkdir -p $OUT/v
timeout 150 ./vlab train $OUT/v 80000 2000 1 1 16 "champion(value=@,looks=5)" 0.2 5 > $OUT/train.log 2>&1
V=$OUT/v/gen1.toml; [ -f $V ] || V=$OUT/v/gen0.toml
m() { timeout 30 ./vlab match classic "$@" >> $OUT/match.log 2>&1; }
m lux 96 97 16 12 "champion(value=$V,looks=12)" killbot quo evil-pixie
m lux 96 97 16 12 "champion(value=$V,looks=12)" shaft vulture bort trotsky stinky
m draft 96 97 16 10 "champion(value=$V,looks=12)" quo evil-pixie
m lux 96 97 16 12 "champion(value=$V,looks=12,horizon=2)" killbot quo evil-pixie
m classic 64 97 16 12 "champion(value=$V,looks=12)" killbot better-pixie quo
m lux 96 97 16 12 "champion(value=$OUT/v/gen0.toml,looks=12)" killbot quo evil-pixie
m beam 64 97 16 12 "champion(value=$V,looks=12)" beam beam beam
cat $OUT/match.log | cut -c1-200; cut -c1-150 $OUT/train.log | tail -60
